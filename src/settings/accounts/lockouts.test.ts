import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Lockouts } from '../../access/index.ts';
import { configMapType, secretType } from '../home-objects.ts';
import { openSettings, type Settings } from '../open-settings.ts';
import { createLockouts } from './lockouts.ts';

let nowMs = 1_000_000;
const clock = { nowMs: () => nowMs };

let home: EmbeddedHome;
let opened: Settings[] = [];
beforeEach(async () => {
  nowMs = 1_000_000;
  home = await openEmbeddedHome();
  await home.embedded.create(configMapType, configMap('argocd-cm', {}));
  await home.embedded.create(secretType, secret('argocd-secret', { 'server.secretkey': 'k'.repeat(44) }));
});
afterEach(async () => {
  for (const settings of opened) await settings.close();
  opened = [];
  await home.close();
});

async function open(): Promise<Lockouts> {
  const settings = await openSettings({ api: home.api, namespace: 'argocd', clock, log: home.log });
  opened.push(settings);
  return createLockouts({ api: home.api, namespace: 'argocd', settings, clock, log: home.log });
}

describe('lockouts', () => {
  it('AUTH-04: count at once here, soon in other replicas, and after a restart', async () => {
    const [one, other] = [await open(), await open()];
    one.keep('alice', 2_000_000);
    expect(one.lockedUntilMs('alice')).toBe(2_000_000);
    await waitUntil(() => other.lockedUntilMs('alice') === 2_000_000);
    other.keep('bob', 3_000_000);
    await waitUntil(() => one.lockedUntilMs('bob') === 3_000_000);
    const later = await open();
    expect([later.lockedUntilMs('alice'), later.lockedUntilMs('bob'), later.lockedUntilMs('carol')]).toEqual([
      2_000_000,
      3_000_000,
      undefined,
    ]);
  });

  it('are not shortened by another replica that locked earlier, and go when they are over', async () => {
    const one = await open();
    one.keep('alice', 1_500_000);
    one.keep('past', 999_999);
    const other = await open();
    other.keep('alice', 1_900_000);
    await waitUntil(() => one.lockedUntilMs('alice') === 1_900_000);
    const later = await open();
    expect([later.lockedUntilMs('alice'), later.lockedUntilMs('past')]).toEqual([1_900_000, undefined]);
  });

  it('end with the mistake of a clock that was a day ahead', async () => {
    const one = await open();
    nowMs += 86_400_000;
    one.keep('alice', nowMs + 300_000);
    const other = await open();
    await waitUntil(() => other.lockedUntilMs('alice') !== undefined);
    nowMs = 1_000_000;
    expect([one.lockedUntilMs('alice'), other.lockedUntilMs('alice')]).toEqual([undefined, undefined]);
    other.keep('alice', 1_300_000);
    await waitUntil(() => one.lockedUntilMs('alice') === 1_300_000);
  });
});
