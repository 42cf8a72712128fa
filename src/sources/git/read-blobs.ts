import { GitError } from './git.ts';
import type { Git } from './git.ts';

/** The contents of objects in their order, in one run of git however many there are. */
export async function readBlobs(git: Git, repository: string, ids: readonly string[]): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const output = await git.local({ args: ['cat-file', '--batch'], repository, input: ids.map((id) => `${id}\n`).join('') });
  const contents: Buffer[] = [];
  for (let at = 0; contents.length < ids.length;) {
    const lineEnd = output.indexOf(10, at);
    const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2]);
    // Git only says that it has no such object, which the mirror should have: another one would do.
    if (lineEnd < 0 || !Number.isInteger(size)) throw new GitError('an object is missing', 'fatal: bad object');
    contents.push(output.subarray(lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 1;
  }
  return contents;
}
