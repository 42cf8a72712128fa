import { listAt, valueAt } from './payload.ts';
import { boundFiles } from './webhook-event.ts';

/** GitHub sends no more than this many commits of a push. */
const commitsMax = 2_048;

/**
 * The files that the commits of a push name. Undefined where they may not be all: a push that was forced takes away changes that no
 * commit of it names, and payloads leave out commits of long pushes.
 */
export function readChangedFiles(payload: unknown): ReadonlySet<string> | undefined {
  const commits = listAt(payload, 'commits');
  if (valueAt(payload, 'forced') === true || commits.length >= commitsMax) return undefined;
  const total = valueAt(payload, 'total_commits_count') ?? valueAt(payload, 'total_commits');
  if (typeof total === 'number' && total > commits.length) return undefined;
  return boundFiles(filesOf(commits));
}

function* filesOf(commits: readonly unknown[]): Generator<string> {
  for (const commit of commits) {
    for (const part of ['added', 'modified', 'removed']) {
      for (const file of listAt(commit, part)) if (typeof file === 'string') yield file;
    }
  }
}
