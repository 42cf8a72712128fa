import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES: readonly string[] = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES: readonly string[] = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The machine's own Chromium, or what `FAIRWAY_CHROMIUM` names; undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env['FAIRWAY_CHROMIUM'];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(named ? [named] : []), ...PLACES, ...onPath].find(canRun);
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
