import { ApiError, Code, LruMap, pause } from '../base/index.ts';
import type { Logger, Timers } from '../base/index.ts';
import { NO_REPOSITORY, withoutPortDetails } from './one-message.ts';
import type { RepositoryAccess } from './repository-access.ts';
import type { RepositoryTestCall } from './sources.ts';

export interface RepositoryTestOptions {
  /** Resolves where the repository answers. */
  readonly ask: (access: RepositoryAccess, signal: AbortSignal) => Promise<unknown>;
  /** The longest that a test takes. */
  readonly limitMs: () => number;
  /** Whether callers may look around on the network of this machine anyway: then nobody waits longer than needed. */
  readonly hidesPorts: boolean;
  readonly timers: Timers;
  readonly log: Logger;
}

const ANSWERED_MAX = 10_000;

/**
 * Tests repositories. A port that is closed refuses at once, one behind a wall or with something else behind it says nothing for long: who may
 * try addresses must not be able to tell them apart, neither by what is said nor by when. Servers that have answered as repositories before are
 * no secret, and their failures are told at once.
 */
export function createRepositoryTest({ ask, limitMs, hidesPorts, timers, log }: RepositoryTestOptions) {
  const answered = new LruMap<string, true>(ANSWERED_MAX);

  return async (access: RepositoryAccess, { signal, onFailed }: RepositoryTestCall = {}): Promise<void> => {
    const beganMs = timers.nowMs();
    const server = serverOf(access.url);
    const limit = new AbortController();
    const cancelLimit = timers.schedule(limitMs(), () => limit.abort());
    try {
      await ask(access, signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]));
      answered.set(server, true);
    } catch (error) {
      onFailed?.();
      const isLate = limit.signal.aborted && signal?.aborted !== true;
      if (!isLate && (!(error instanceof ApiError) || error.code !== Code.Unknown)) throw error;
      const cause = isLate ? 'context deadline exceeded' : (error as ApiError).message;
      const said = withoutPortDetails(cause);
      if (said === NO_REPOSITORY) {
        log.info('a repository could not be reached', { owner: access.owner, cause });
        if (hidesPorts && answered.get(server) === undefined) await pause(timers, limitMs() - (timers.nowMs() - beganMs), signal);
      } else answered.set(server, true);
      const what = access.type === 'git' ? 'unable to ls-remote HEAD on repository: ' : '';
      throw new ApiError(Code.Unknown, `error testing repository connectivity: ${what}${said}`);
    } finally {
      cancelLimit();
    }
  };
}

/** Host and port, however the address is written. */
function serverOf(url: string): string {
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(url)?.[1] ?? '';
  return `${url.split(':', 1)[0] ?? ''} ${authority.slice(authority.lastIndexOf('@') + 1)}`.toLowerCase();
}
