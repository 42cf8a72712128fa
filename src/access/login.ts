import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, Code, type Clock } from '../base/index.ts';
import type { AccountStore } from './account-store.ts';
import type { CheckPassword, PasswordResult } from './password-check.ts';
import type { Sessions } from './sessions.ts';

const usernameBytesMax = 32;

/**
 * A client reads the same answer for each failure, but for two that only who has the password is told: `disabled`, the account is switched
 * off, and `incapable`, it is only for tokens.
 */
export type LoginResult = PasswordResult | 'disabled' | 'incapable';

export interface LoginAttempt {
  readonly username: string;
  readonly remoteAddress: string;
  readonly result: LoginResult;
}

export interface LoginOrigin {
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
}

export interface LoginOptions {
  readonly accounts: AccountStore;
  readonly checkPassword: CheckPassword;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly report: (attempt: LoginAttempt) => void;
  /** Waits before a failure is told. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Exchanges a password for a session token; throws what the client may read. */
export type Login = (username: string, password: string, origin: LoginOrigin) => Promise<string>;

export function createLogin(options: LoginOptions): Login {
  const { accounts, checkPassword, sessions, clock, report, wait = waitFor } = options;

  async function attempt(username: string, password: string): Promise<LoginResult> {
    const result = await checkPassword(username, password);
    const account = accounts.find(username);
    if (result !== 'success' || account === undefined) return result === 'success' ? 'failure' : result;
    if (!account.enabled) return 'disabled';
    return account.capabilities.includes('login') ? 'success' : 'incapable';
  }

  return async (username, password, { remoteAddress, signal }) => {
    if (password === '') throw new ApiError(Code.Unauthenticated, 'Blank passwords are not allowed');
    if (Buffer.byteLength(username) > usernameBytesMax) {
      throw new ApiError(Code.InvalidArgument, `Username is too long (${usernameBytesMax} bytes max)`);
    }
    const startedAtMs = clock.nowMs();
    const result = await attempt(username, password);
    report({ username, remoteAddress, result });
    if (result === 'success') return sessions.start(username);
    if (result === 'disabled') throw new ApiError(Code.Unauthenticated, `Account ${username} is disabled`);
    if (result === 'incapable') throw new ApiError(Code.Unauthenticated, `Account ${username} does not have login capability`);
    // A failure is told after a random time that covers what was done, so that its length says nothing. An overload is told
    // at once: it says nothing about the account, and whoever waits takes room.
    if (result !== 'overload') await wait(500 + Math.random() * 500 - (clock.nowMs() - startedAtMs), signal);
    throw new ApiError(Code.Unauthenticated, 'Invalid username or password');
  };
}

async function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs > 0) await delay(delayMs, undefined, { signal });
}
