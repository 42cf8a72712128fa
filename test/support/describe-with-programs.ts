import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** A suite that runs programs of the machine. Where one is missing, the suite is counted as skipped, loudly. */
export function describeWithPrograms(names: readonly string[], title: string, suite: () => void): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length > 0) process.stderr.write(`SKIPPED: ${title}: ${missing.join(', ')} not installed\n`);
  describe.skipIf(missing.length > 0)(missing.length === 0 ? title : `${title} [skipped: no ${missing.join(', ')}]`, () => {
    suite();
  });
}

function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
      return false;
    }
  });
}
