import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError, Code, LruMap, pause, systemTimers } from '../../base/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { SourceLimits } from '../limits.ts';
import { isDiskFull } from '../shortage.ts';
import { createSingleFlight } from '../single-flight.ts';
import { evictMirrors } from './evict-mirrors.ts';
import { GitError } from './git.ts';
import type { Git } from './git.ts';
import type { MeterGitRequest } from './git-request.ts';
import { sweepMirror } from './sweep-mirror.ts';

/** A commit that is here. */
export interface MirroredCommit {
  /** The bare repository that has it. */
  readonly repository: string;
  /** In full. */
  readonly commit: string;
  readonly tree: string;
}

export interface Mirrors {
  /** Fetches a commit, full or short, unless it is here. */
  ensureCommit(access: RepositoryAccess, revision: string, signal?: AbortSignal): Promise<MirroredCommit>;
  /** Fetches a tag that is an object of its own, by its id, unless it is here. */
  ensureTag(access: RepositoryAccess, id: string, signal?: AbortSignal): Promise<void>;
  /** Throws a mirror away that turned out to be damaged. */
  discard(repository: string): Promise<void>;
  /** Resolves when nothing is being tidied any more, or has been for too long: what is left of it is found the next time. */
  stop(): Promise<void>;
}

const KNOWN_COMMITS_MAX = 10_000;
const TOUCH_EVERY_MS = 60_000;
const REPACK_EVERY_FETCHES = 20;
const STOP_MS_MAX = 5_000;
const LOCKED = /Unable to create '[^']*\.lock': File exists/;
/** What git says of a repository that a crash or a full disk has broken. */
const DAMAGED = new RegExp(
  [
    'corrupt|bad object|bad signature|not a git repository|not a tree object|object file .* is empty|[Cc]ould not read [0-9a-f]{40}',
    'unable to (?:read|unpack)|failed to unpack|inflate:',
    'packfile .* (?:invalid|cannot)|too short to be a packfile|does not match index|index file .* is too small',
    // A file of the repository that cannot be read is its own affair.
    'bad config (?!.* in blob )',
  ].join('|'),
);

export interface MirrorsOptions {
  readonly git: Git;
  readonly folder: string;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: MeterGitRequest;
}

/** One bare repository for each URL and owner of the access, with the commits that were asked for. */
export function createMirrors({ git, folder, limits, clock, log, meter }: MirrorsOptions): Mirrors {
  let known = new LruMap<string, MirroredCommit>(KNOWN_COMMITS_MAX);
  const initialising = createSingleFlight<void>();
  const ensuring = createSingleFlight<MirroredCommit>();
  const fetchingTags = createSingleFlight<void>();
  const fetches = new LruMap<string, number>(1024);
  /** Mirrors that something is being read from or written to, however long ago that began: these stay. */
  const busy = new Map<string, number>();
  const touchedAtMs = new LruMap<string, number>(1024);
  let tidying: Promise<void> | undefined;

  async function initialise(repository: string): Promise<void> {
    if (existsSync(repository)) return;
    const parent = dirname(repository);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(join(parent, 'unfinished-'));
    try {
      await git.local({ args: ['init', '--quiet', '--bare', '--template=', '--', unfinished] });
      const now = new Date(clock.nowMs());
      await utimes(unfinished, now, now);
      await rename(unfinished, repository);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      // Another process was quicker.
      if (!existsSync(repository)) throw error;
    }
  }

  async function find(repository: string, revision: string): Promise<MirroredCommit | undefined> {
    try {
      const args = ['log', '-1', '--no-show-signature', '--format=%H %T', '--end-of-options', `${revision}^{commit}`, '--'];
      const [commit = '', tree = ''] = (await git.local({ args, repository })).toString('utf8').trim().split(' ');
      return { repository, commit, tree };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (/ambiguous/.test(error.stderr))
        throw new ApiError(Code.Unknown, `unable to resolve '${revision}' to a commit SHA: it is ambiguous`);
      return undefined;
    }
  }

  async function fetch(access: RepositoryAccess, repository: string, refspecs: readonly string[]): Promise<void> {
    const depth = (access.depth ?? 0) > 0 ? [`--depth=${access.depth}`] : [];
    const flags = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'];
    const ask = (): Promise<unknown> =>
      meter({ access, type: 'fetch', revision: refspecs.join(' ') }, () =>
        git.remote(access, { args: (url) => ['fetch', ...flags, ...depth, '--', url, ...refspecs], repository }),
      );
    try {
      await ask();
    } catch (error) {
      // Also where it fails again and again: each that is killed leaves a part of a pack.
      const isUnlocked = await sweep(repository);
      if (isDiskFull(error)) tidyLater(repository, { isFull: true });
      if (!isUnlocked || !(error instanceof GitError) || !LOCKED.test(error.stderr)) throw error;
      await ask();
    }
    tidyLater(repository);
  }

  /** No run of git takes as long: what is older is of one that was killed. */
  async function sweep(repository: string): Promise<boolean> {
    try {
      return await sweepMirror(repository, clock.nowMs() - 2 * limits.toolMs);
    } catch (error) {
      log.warn('what git left in a mirror could not be removed', { error });
      return false;
    }
  }

  async function ensure(access: RepositoryAccess, revision: string, repository: string): Promise<MirroredCommit> {
    busy.set(repository, (busy.get(repository) ?? 0) + 1);
    try {
      return await ensureWhole(access, revision, repository);
    } finally {
      const left = (busy.get(repository) ?? 1) - 1;
      if (left === 0) busy.delete(repository);
      else busy.set(repository, left);
    }
  }

  async function ensureWhole(access: RepositoryAccess, revision: string, repository: string): Promise<MirroredCommit> {
    try {
      return await fetchMissing(access, revision, repository);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (!isDamage(error)) throw checkoutFailure(`Failed to fetch default: ${error.message}`);
      await discard(repository);
    }
    try {
      return await fetchMissing(access, revision, repository);
    } catch (error) {
      throw error instanceof GitError ? checkoutFailure(`Failed to fetch default: ${error.message}`) : error;
    }
  }

  async function discard(repository: string): Promise<void> {
    // What was known to be there is not there any more.
    known = new LruMap(KNOWN_COMMITS_MAX);
    touchedAtMs.delete(repository);
    // Without a new folder, for which a full disk has no room.
    const grave = join(folder, `unfinished-${randomUUID()}`);
    await rename(repository, grave).catch(() => undefined);
    await rm(grave, { recursive: true, force: true });
  }

  async function fetchMissing(access: RepositoryAccess, revision: string, repository: string): Promise<MirroredCommit> {
    await initialising.join(repository, () => initialise(repository));
    // Before anything is fetched: what is tidied afterwards must not take this one for unused.
    await touch(repository);
    const present = await find(repository, revision);
    if (present !== undefined) return present;
    if (isFull(revision)) {
      const byName = await fetchByName(access, repository, revision);
      if (byName !== undefined) return byName;
    }
    await fetch({ ...access, depth: 0 }, repository, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']);
    const fetched = await find(repository, revision);
    if (fetched === undefined) throw checkoutFailure(`Failed to checkout revision ${revision}: fatal: unable to read tree (${revision})`);
    return fetched;
  }

  /** A sign of life, so that no other process removes it. */
  async function touch(repository: string): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - (touchedAtMs.get(repository) ?? 0) < TOUCH_EVERY_MS) return;
    touchedAtMs.set(repository, nowMs);
    await utimes(repository, new Date(nowMs), new Date(nowMs)).catch(() => undefined);
  }

  /** Keeps a mirror small after many fetches, and all of them within their size; on a full disk only those in use. Nobody waits for it. */
  function tidyLater(repository: string, { isFull = false }: { readonly isFull?: boolean } = {}): void {
    const count = (fetches.get(repository) ?? 0) + 1;
    fetches.set(repository, count);
    // What is due while another is tidied is due still at the next fetch.
    if (tidying !== undefined) return;
    const repacks = count >= REPACK_EVERY_FETCHES && !isFull;
    if (repacks) fetches.delete(repository);
    tidying = tidy(repository, { repacks, isFull })
      .catch((error: unknown) => log.warn('mirrors of repositories could not be tidied', { error }))
      .finally(() => {
        tidying = undefined;
      });
  }

  async function tidy(repository: string, { repacks, isFull }: { readonly repacks: boolean; readonly isFull: boolean }): Promise<void> {
    if (repacks) {
      await sweep(repository);
      await git.local({ args: ['repack', '-d', '--geometric=2', '--quiet'], repository });
      await git.local({ args: ['pack-refs', '--all'], repository });
    }
    const bounds = { inUseMs: limits.inUseMs, mirrorsBytesMax: isFull ? 0 : limits.mirrorsBytesMax };
    await evictMirrors({ folder, limits: bounds, nowMs: clock.nowMs(), isBusy: (mirror) => busy.has(mirror), discard });
  }

  /** Servers may refuse to give a commit by its name alone: then all branches and tags are fetched. */
  async function fetchByName(access: RepositoryAccess, repository: string, commit: string): Promise<MirroredCommit | undefined> {
    try {
      await fetch(access, repository, [`+${commit}:refs/commits/${commit}`]);
    } catch (error) {
      if (!(error instanceof GitError) || !/not our ref|unadvertised object|couldn't find remote ref/.test(error.stderr)) throw error;
      return undefined;
    }
    return await find(repository, commit);
  }

  async function fetchTag(access: RepositoryAccess, repository: string, id: string): Promise<void> {
    try {
      await git.local({ args: ['cat-file', '-e', id], repository });
      return;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
    try {
      await fetch({ ...access, depth: 0 }, repository, [`+${id}:refs/signed/${id}`]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      throw checkoutFailure(`Failed to fetch the tag: ${error.message}`);
    }
  }

  return {
    discard,
    async stop() {
      if (tidying === undefined) return;
      const over = new AbortController();
      void tidying.finally(() => over.abort());
      await pause(systemTimers, STOP_MS_MAX, over.signal);
    },
    ensureTag(access, id, signal) {
      const repository = join(folder, mirrorName(git, access));
      return fetchingTags.join(`${repository}\0${id}`, () => fetchTag(access, repository, id), signal);
    },
    async ensureCommit(access, revision, signal) {
      const repository = join(folder, mirrorName(git, access));
      const key = `${repository}\0${revision}`;
      const remembered = known.get(key);
      if (remembered !== undefined && existsSync(repository)) {
        await touch(repository);
        return remembered;
      }
      const found = await ensuring.join(key, () => ensure(access, revision, repository), signal);
      if (isFull(revision)) known.set(key, found);
      return found;
    },
  };
}

/** Whether git failed because of what a mirror holds, or does not hold any more: another one would do. */
export function isDamage({ stderr }: GitError): boolean {
  return DAMAGED.test(stderr);
}

/**
 * Hosts are the same in any letter case, paths are not. What one access fetched is not there for another, also where the URL itself says who
 * asks: a commit that is asked for by its name would be given without asking the server.
 */
function mirrorName(git: Git, access: RepositoryAccess): string {
  const { transport, url, host, port, path, username = '', password = '' } = git.parseUrl(access.url);
  const place = transport === 'file' ? path : `${host}:${port ?? ''}/${path}?${url.split('?')[1] ?? ''}`;
  const signsIn = transport !== 'ssh' && (username !== '' || password !== '');
  const user = signsIn ? JSON.stringify([username, password]) : username;
  return createHash('sha256').update([transport, user, place, access.owner].join('\0')).digest('hex').slice(0, 40);
}

function isFull(revision: string): boolean {
  return revision.length === 40 || revision.length === 64;
}

function checkoutFailure(message: string): ApiError {
  return new ApiError(Code.Unknown, `failed to initialize repository resources: rpc error: code = Internal desc = ${message}`);
}
