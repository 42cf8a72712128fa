import { createSemaphore, type Clock } from '../base/index.ts';
import type { AccountStore } from './account-store.ts';
import { createLoginFailures, type Lockouts } from './login-failures.ts';
import { verifyPassword } from './password.ts';

/** Hashing takes a core each for 50 ms: two at a time leave room for everyone else's requests. */
const hashingMax = 2;
const inFlightMax = 50;

/** `locked`: too many failures before; `overload`: too many checks at once. */
export type PasswordResult = 'success' | 'failure' | 'locked' | 'overload';

export interface PasswordCheckOptions {
  readonly accounts: AccountStore;
  readonly clock: Clock;
  /** What is remembered beyond the life of this process; nothing unless given. */
  readonly lockouts?: Lockouts;
}

/** Whether a password is that of an account. Who guesses is locked out, wherever the guesses come from. */
export type CheckPassword = (username: string, password: string) => Promise<PasswordResult>;

export function createPasswordCheck({ accounts, clock, lockouts }: PasswordCheckOptions): CheckPassword {
  const isAccount = (name: string): boolean => accounts.find(name) !== undefined;
  const failures = createLoginFailures({ clock, isAccount, ...(lockouts && { lockouts }) });
  const hashing = createSemaphore({ runningMax: hashingMax, waitingMax: inFlightMax - hashingMax });

  return async (username, password) => {
    if (failures.isLocked(username)) return 'locked';
    const passwordHash = accounts.find(username)?.passwordHash;
    const matches = await hashing.tryRun(() => verifyPassword(password, passwordHash));
    if (matches === undefined) return 'overload';
    // Asked again because guesses sent at once all pass the first question: the sixth must fail even when it is right.
    if (failures.isLocked(username)) return 'locked';
    if (matches) failures.clear(username);
    else failures.count(username);
    return matches ? 'success' : 'failure';
  };
}
