import { ApiError, Code, LruMap, isRecent } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { SourceLimits } from '../limits.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { RepositoryRefs } from '../sources.ts';
import { createAskForRefs } from './ask-for-refs.ts';
import { GitError } from './git.ts';
import type { Git } from './git.ts';
import type { MeterGitRequest } from './git-request.ts';
import { listRefs } from './list-refs.ts';
import { pickRef, pickRevision, planRevision } from './resolve-revision.ts';
import type { GitRef, RevisionQuery } from './resolve-revision.ts';

export interface Revisions {
  /** The commit that a target revision stands for; the answer of a moment ago, unless a fresh one is wanted. */
  resolve(access: RepositoryAccess, target: RevisionTarget): Promise<string>;
  /** The ref that a target revision names; none for a commit. */
  refOf(access: RepositoryAccess, target: RevisionTarget): Promise<GitRef | undefined>;
  refs(access: RepositoryAccess): Promise<RepositoryRefs>;
  /** The short names of the tags that point to a commit, in byte order. */
  tagsOf(access: RepositoryAccess, commit: string): Promise<string[]>;
}

export interface RevisionTarget {
  readonly revision: string | undefined;
  readonly tagPrefix: string | undefined;
  readonly fresh: boolean;
  /** With `fresh`: an answer that was asked for after this will do; only one from now on unless given. */
  readonly sinceMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const REMEMBERED_MAX = 10_000;

export interface RevisionsOptions {
  readonly git: Git;
  readonly get: HttpGet;
  /** How long a server may take to list its refs. */
  readonly limitMs: () => number;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly meter: MeterGitRequest;
}

export function createRevisions({ git, get, limitMs, limits, clock, meter }: RevisionsOptions): Revisions {
  const askForRefs = createAskForRefs({ get, clock });
  const remembered = new LruMap<string, { readonly refs: readonly GitRef[]; readonly atMs: number }>(REMEMBERED_MAX);
  const listing = createSingleFlight<readonly GitRef[]>();
  /** When each was last asked for, whether or not there was an answer. */
  const asked = new LruMap<string, number>(REMEMBERED_MAX);

  async function list(access: RepositoryAccess, names: readonly string[], key: string): Promise<readonly GitRef[]> {
    const atMs = clock.nowMs();
    asked.set(key, atMs);
    const refs = await ask(access, names);
    remembered.set(key, { refs, atMs });
    return refs;
  }

  async function ask(access: RepositoryAccess, names: readonly string[]): Promise<GitRef[]> {
    try {
      return await meter({ access, type: 'ls-remote', revision: names.join(' ') }, () =>
        listRefs(git, access, { prefixes: names, limitMs: limitMs(), askForRefs }),
      );
    } catch (error) {
      if (error instanceof GitError) throw new ApiError(Code.Unknown, `failed to list refs: ${error.message}`);
      throw error;
    }
  }

  async function refsFor(
    access: RepositoryAccess,
    query: Exclude<RevisionQuery, { kind: 'commit' }>,
    { fresh, sinceMs = Infinity, signal }: RevisionTarget,
  ): Promise<readonly GitRef[]> {
    const names = query.kind === 'names' ? query.names : [`refs/tags/${query.tagPrefix}`, `refs/heads/${query.text}`];
    const key = JSON.stringify([access.url, access.owner, names]);
    const before = remembered.get(key);
    const nowMs = clock.nowMs();
    const isGoodEnough = (atMs: number): boolean =>
      fresh ? atMs > sinceMs && atMs <= nowMs : isRecent(atMs, { nowMs, withinMs: limits.revisionMs });
    if (before !== undefined && isGoodEnough(before.atMs)) return before.refs;
    const start = (): Promise<readonly GitRef[]> => list(access, names, key);
    return await (fresh && !isGoodEnough(asked.get(key) ?? 0) ? listing.joinNext(key, start, signal) : listing.join(key, start, signal));
  }

  return {
    async resolve(access, target) {
      const query = planRevision(target.revision, target.tagPrefix);
      return query.kind === 'commit' ? query.commit : pickRevision(query, await refsFor(access, query, target));
    },
    async refOf(access, target) {
      const query = planRevision(target.revision, target.tagPrefix);
      return query.kind === 'commit' ? undefined : pickRef(query, await refsFor(access, query, target));
    },
    async tagsOf(access, commit) {
      const tags = await ask(access, ['refs/tags/']);
      return tags.flatMap((tag) => (tag.commit === commit ? [tag.name.slice('refs/tags/'.length)] : [])).sort();
    },
    async refs(access) {
      const refs = await ask(access, ['refs/heads/', 'refs/tags/']);
      const shortNames = (start: string): string[] =>
        refs.flatMap(({ name }) => (name.startsWith(start) ? [name.slice(start.length)] : [])).sort();
      return { branches: shortNames('refs/heads/'), tags: shortNames('refs/tags/') };
    },
  };
}
