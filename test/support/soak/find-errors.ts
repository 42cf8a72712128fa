import { isLevelLine } from '../level/process-level.ts';

/** The lines of a log that say error, or that are no log lines at all: whatever goes wrong in a soak is somebody else's fault, and no more than a warning. */
export function findErrors(output: string): readonly string[] {
  return output.split('\n').filter((line) => line !== '' && !line.startsWith('ready ') && !isLevelLine(line) && !isQuiet(line));
}

function isQuiet(line: string): boolean {
  try {
    return (JSON.parse(line) as { level?: string }).level !== 'error';
  } catch {
    // Whatever is no JSON was not written by the log.
    return false;
  }
}
