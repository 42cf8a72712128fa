import { hash } from 'node:crypto';
import type { Lockouts } from '../../access/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { KubeApi } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { secretNames, secretType } from '../home-objects.ts';
import { modifyObject, readObject, type Home } from '../modify-object.ts';
import { encodeSecretText, readSecretData, secretText } from '../object-data.ts';

export interface LockoutsOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Accounts that are locked after too many guesses stay so when the process is started anew: else a guesser would only have to stop it. */
export async function openLockouts({ api, namespace, clock, log }: LockoutsOptions): Promise<Lockouts> {
  const home: Home = { api, namespace, randomNumber: Math.random };
  const known = readLockouts(await readObject(home, secretType, secretNames.lockouts));

  async function write(): Promise<void> {
    await modifyObject(home, {
      type: secretType,
      name: secretNames.lockouts,
      change: (secret) => {
        const all = new Map([...readLockouts(secret), ...known].filter(([, untilMs]) => untilMs > clock.nowMs()));
        return withLockouts(secret, all, namespace);
      },
    });
  }

  return {
    lockedUntilMs: (username) => known.get(keyOf(username)),
    keep(username, untilMs) {
      for (const [key, endedMs] of known) if (endedMs <= clock.nowMs()) known.delete(key);
      known.set(keyOf(username), untilMs);
      write().catch((error: unknown) => log.error('cannot store that an account is locked; it is until the next start', { error }));
    },
  };
}

/** A name may be any text; a key of a Secret may not. */
function keyOf(username: string): string {
  return hash('sha256', username, 'hex').slice(0, 32);
}

function readLockouts(secret: KubeObject | undefined): Map<string, number> {
  const entries = [...readSecretData(secret)].map(([key, content]) => [key, Number(secretText(content))] as const);
  return new Map(entries.filter(([, untilMs]) => Number.isFinite(untilMs)));
}

function withLockouts(secret: KubeObject | undefined, lockouts: ReadonlyMap<string, number>, namespace: string): KubeObject {
  const data: JsonObject = Object.fromEntries([...lockouts].map(([key, untilMs]) => [key, encodeSecretText(String(untilMs))]));
  if (secret !== undefined) return { ...secret, data };
  const labels = { 'app.kubernetes.io/managed-by': 'fairway' };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: secretNames.lockouts, namespace, labels }, type: 'Opaque', data };
}
