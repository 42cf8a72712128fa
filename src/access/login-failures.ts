import type { Clock } from '../base/index.ts';

const failuresMax = 5;
const windowMs = 300_000;
const namesMax = 10_000;

interface Failures {
  count: number;
  lastAtMs: number;
}

/** Counts failed logins by name, also names of nobody, so that being locked does not tell who exists. */
export interface LoginFailures {
  /** True after five failures, until five minutes have passed since the last. */
  isLocked(username: string): boolean;
  count(username: string): void;
  clear(username: string): void;
}

/** Lockouts that are to outlive this process. */
export interface Lockouts {
  /** Until when an account is locked, in milliseconds since the epoch; undefined when nothing is known. */
  lockedUntilMs(username: string): number | undefined;
  /** Returns at once; what comes of it is for whoever keeps it to tell. */
  keep(username: string, lockedUntilMs: number): void;
}

export interface LoginFailuresOptions {
  readonly clock: Clock;
  readonly isAccount: (name: string) => boolean;
  readonly lockouts?: Lockouts;
}

/** `isAccount` tells the names that are never forgotten to make room: else a flood of made-up names would unlock a real one. */
export function createLoginFailures({ clock, isAccount, lockouts }: LoginFailuresOptions): LoginFailures {
  const byName = new Map<string, Failures>();

  function find(username: string): Failures | undefined {
    const failures = byName.get(username);
    // A clock that was ahead and is set right must not lock anybody for as long as it was.
    if (failures === undefined || Math.abs(clock.nowMs() - failures.lastAtMs) <= windowMs) return failures;
    byName.delete(username);
    return undefined;
  }

  function makeRoom(): void {
    if (byName.size < namesMax) return;
    for (const name of byName.keys()) {
      if (isAccount(name)) continue;
      byName.delete(name);
      return;
    }
  }

  return {
    isLocked: (username) => (find(username)?.count ?? 0) >= failuresMax || (lockouts?.lockedUntilMs(username) ?? -1) >= clock.nowMs(),
    count(username) {
      const count = (find(username)?.count ?? 0) + 1;
      // Put at the end again: the front is what failed the longest time ago.
      byName.delete(username);
      makeRoom();
      byName.set(username, { count, lastAtMs: clock.nowMs() });
      // Names of nobody are not kept: there is no end to them.
      if (count === failuresMax && isAccount(username)) lockouts?.keep(username, clock.nowMs() + windowMs);
    },
    clear: (username) => void byName.delete(username),
  };
}
