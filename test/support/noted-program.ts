import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program that notes the arguments of each of its runs, and then is the real one. */
export interface NotedProgram {
  readonly file: string;
  /** The arguments of each run, in order. */
  runs(): Promise<string[][]>;
}

/** Puts it into a folder, under its own name. */
export async function noteRuns(folder: string, name: string, program: string): Promise<NotedProgram> {
  const [file, notes] = [join(folder, name), join(folder, `${name}-runs`)];
  await writeFile(notes, '');
  // How many arguments there are, and each of them, end with what none can hold.
  await writeFile(file, `#!/bin/sh\nprintf '%s\\0' "$#" "$@" >> '${notes}'\nexec '${program}' "$@"\n`);
  await chmod(file, 0o755);
  return {
    file,
    async runs() {
      const noted = (await readFile(notes, 'utf8')).split('\0');
      const runs: string[][] = [];
      for (let at = 0; at < noted.length - 1;) {
        const count = Number(noted[at]);
        runs.push(noted.slice(at + 1, at + 1 + count));
        at += 1 + count;
      }
      return runs;
    },
  };
}
