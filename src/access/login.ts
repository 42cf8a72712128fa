import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, Code, createSemaphore, type Clock } from '../base/index.ts';
import { adminAccount } from './account.ts';
import type { AdminStore } from './admin-store.ts';
import { createLoginFailures } from './login-failures.ts';
import { verifyPassword } from './password.ts';
import type { Sessions } from './sessions.ts';

const usernameBytesMax = 32;
/** Hashing takes a core each for 50 ms: two at a time leave room for everyone else's requests. */
const hashingMax = 2;
const inFlightMax = 50;

/**
 * `locked`: too many failures before; `overload`: too many logins at once. A client reads the same answer for each failure, but for
 * `disabled`: the account is switched off, which only who has its password is told.
 */
export type LoginResult = 'success' | 'failure' | 'locked' | 'overload' | 'disabled';

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
  readonly admin: AdminStore;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly report: (attempt: LoginAttempt) => void;
  /** Waits before a failure is told. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Exchanges a password for a session token; throws what the client may read. */
export type Login = (username: string, password: string, origin: LoginOrigin) => Promise<string>;

export function createLogin(options: LoginOptions): Login {
  const { admin, sessions, clock, report, wait = waitFor } = options;
  const failures = createLoginFailures({ clock, isAccount: (name) => name === adminAccount.name });
  const hashing = createSemaphore({ runningMax: hashingMax, waitingMax: inFlightMax - hashingMax });

  async function attempt(username: string, password: string): Promise<LoginResult> {
    if (failures.isLocked(username)) return 'locked';
    const passwordHash = username === adminAccount.name ? admin.passwordHash : undefined;
    const matches = await hashing.tryRun(() => verifyPassword(password, passwordHash));
    if (matches === undefined) return 'overload';
    // Asked again because guesses sent at once all pass the first question: the sixth must fail even when it is right.
    if (failures.isLocked(username)) return 'locked';
    if (!matches) failures.count(username);
    else failures.clear(username);
    if (!matches) return 'failure';
    return admin.enabled ? 'success' : 'disabled';
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
    // A failure is told after a random time that covers what was done, so that its length says nothing. An overload is told
    // at once: it says nothing about the account, and whoever waits takes room.
    if (result !== 'overload') await wait(500 + Math.random() * 500 - (clock.nowMs() - startedAtMs), signal);
    throw new ApiError(Code.Unauthenticated, 'Invalid username or password');
  };
}

async function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs > 0) await delay(delayMs, undefined, { signal });
}
