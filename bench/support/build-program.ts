import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let isBuilt = false;

/**
 * The program as it is installed, built from the sources as they are now: compiled, with the settings of the allocator that it starts
 * itself with. From its sources it takes some 25 MB more, for the compiler that strips types.
 */
export function buildProgram(): string {
  const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
  if (!isBuilt) execFileSync(process.execPath, [pathOf('scripts/build/main.ts')], { stdio: ['ignore', 'ignore', 'inherit'] });
  isBuilt = true;
  return pathOf('bin/fairway.mjs');
}
