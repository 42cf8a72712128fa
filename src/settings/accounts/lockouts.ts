import { hash } from 'node:crypto';
import type { Lockouts } from '../../access/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { KubeApi } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { secretNames, secretType } from '../home-objects.ts';
import { modifyObject, type Home } from '../modify-object.ts';
import { encodeSecretText, readSecretData, secretText } from '../object-data.ts';
import type { Settings } from '../open-settings.ts';

/** Accounts are locked for minutes. What says longer was written by a clock that was wrong, and would lock them for as long as it was. */
const lockMsMax = 60 * 60_000;

export interface LockoutsOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  /** Through which this process hears of what others have locked. */
  readonly settings: Pick<Settings, 'current'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Accounts that are locked after too many guesses are so for every process of the installation, also for those that are started later: else
 * a guesser would only have to ask another, or to stop this one.
 */
export function createLockouts({ api, namespace, settings, clock, log }: LockoutsOptions): Lockouts {
  const home: Home = { api, namespace, randomNumber: Math.random };
  /** What was locked here; that it is stored takes a moment. */
  const known = new Map<string, number>();
  const isPossible = (untilMs: number): boolean => untilMs <= clock.nowMs() + lockMsMax;

  async function write(): Promise<void> {
    await modifyObject(home, {
      type: secretType,
      name: secretNames.lockouts,
      change: (secret) => {
        const all = new Map([...readLockouts(secret)].filter(([, untilMs]) => isPossible(untilMs)));
        // Another process may have locked one for longer.
        for (const [key, untilMs] of known) if (isPossible(untilMs)) all.set(key, Math.max(untilMs, all.get(key) ?? 0));
        for (const [key, untilMs] of all) if (untilMs <= clock.nowMs()) all.delete(key);
        return withLockouts(secret, all, namespace);
      },
    });
  }

  return {
    lockedUntilMs(username) {
      const key = keyOf(username);
      const times = [known.get(key), settings.current.lockouts.get(key)];
      const possible = times.filter((untilMs): untilMs is number => untilMs !== undefined && isPossible(untilMs));
      return possible.length === 0 ? undefined : Math.max(...possible);
    },
    keep(username, untilMs) {
      for (const [key, endedMs] of known) if (endedMs <= clock.nowMs()) known.delete(key);
      known.set(keyOf(username), untilMs);
      write().catch((error: unknown) =>
        log.error('cannot store that an account is locked; it is so in this process alone, until it stops', { error }),
      );
    },
  };
}

/** A name may be any text; a key of a Secret may not. */
function keyOf(username: string): string {
  return hash('sha256', username, 'hex').slice(0, 32);
}

export function readLockouts(secret: KubeObject | undefined): ReadonlyMap<string, number> {
  const entries = [...readSecretData(secret)].map(([key, content]) => [key, Number(secretText(content))] as const);
  return new Map(entries.filter(([, untilMs]) => Number.isFinite(untilMs)));
}

function withLockouts(secret: KubeObject | undefined, lockouts: ReadonlyMap<string, number>, namespace: string): KubeObject {
  const data: JsonObject = Object.fromEntries([...lockouts].map(([key, untilMs]) => [key, encodeSecretText(String(untilMs))]));
  if (secret !== undefined) return { ...secret, data };
  const labels = { 'app.kubernetes.io/managed-by': 'fairway' };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: secretNames.lockouts, namespace, labels }, type: 'Opaque', data };
}
