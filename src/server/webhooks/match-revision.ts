import { pickVersion } from '../../template/index.ts';

export interface PushedRevision {
  readonly revision: string;
  readonly touchesHead: boolean;
}

/** Whether a target revision may mean something else after this push. `tagPrefix` stands before the versions that a range picks from. */
export function matchesRevision(target: string, { revision, touchesHead }: PushedRevision, tagPrefix = ''): boolean {
  if (target === '' || target === 'HEAD') return touchesHead;
  if (target.replace(/^refs\/(?:heads|tags)\//, '') === revision) return true;
  return revision.startsWith(tagPrefix) && pickVersion(target, [revision.slice(tagPrefix.length)]) !== undefined;
}
