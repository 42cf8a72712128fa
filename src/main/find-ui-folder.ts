import { fileURLToPath } from 'node:url';

/** Where the built web interface is: beside the compiled program, also when the program runs from its sources. */
export function findUiFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/ui' : '../ui', import.meta.url));
}
