import type { Clock } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';

/** A request to the server of a repository that has ended. */
export interface GitRequest {
  /** The address, without what opens it. */
  readonly repo: string;
  readonly type: 'ls-remote' | 'fetch';
  /** What was asked for. */
  readonly revision: string;
  readonly durationMs: number;
  readonly isFailed: boolean;
}

export type MeterGitRequest = <Result>(
  request: { readonly access: RepositoryAccess; readonly type: GitRequest['type']; readonly revision: string },
  send: () => Promise<Result>,
) => Promise<Result>;

/** Tells somebody how requests to git servers ended, and how long they took. */
export function meterGitRequests(clock: Clock, tell: (request: GitRequest) => void): MeterGitRequest {
  return async ({ access, type, revision }, send) => {
    const startMs = clock.nowMs();
    const end = (isFailed: boolean): void =>
      tell({ repo: withoutUser(access.url), type, revision, durationMs: clock.nowMs() - startMs, isFailed });
    try {
      const result = await send();
      end(false);
      return result;
    } catch (error) {
      end(true);
      throw error;
    }
  };
}

/** People write passwords into addresses. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
