import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { systemTimers } from '../../base/index.ts';
import { capabilitiesOf, type Cluster, type KindTrouble, type LiveCache, type ObjectKeyParts } from '../../clusters/index.ts';
import type { ControllerContext } from './controller-context.ts';
import { describeKind, findTroubles } from './find-troubles.ts';
import { waitForCache } from './wait-for-cache.ts';

const trouble = (group: string, kind: string): KindTrouble => ({
  type: { group, version: 'v1', plural: '', kind, namespaced: true },
  synced: false,
  trouble: { reason: 'unreachable', message: 'no' },
});

describe('Troubles of a cluster', () => {
  const cacheWith = (...troubles: readonly KindTrouble[]): LiveCache => ({ troubles: () => troubles }) as unknown as LiveCache;
  const resources = [{ kind: 'ConfigMap' }, { group: 'shop.example', kind: 'Order' }];

  it('concern those who have something of the kind, or of the group where all of it is silent', () => {
    const cache = cacheWith(trouble('shop.example', ''), trouble('', 'Secret'), trouble('', 'ConfigMap'), trouble('other.example', ''));
    expect(findTroubles(cache, resources).map(describeKind)).toEqual(['kinds of group "shop.example"', 'ConfigMap of group ""']);
    expect(findTroubles(cache, [])).toEqual([]);
  });
});

describe('The versions that charts are rendered for', () => {
  it('are all that the cluster serves, also where the server of one does not answer', () => {
    const resources = [{ group: '', version: 'v1', kind: 'ConfigMap' }];
    const troubles = (): KindTrouble[] => [trouble('shop.example', ''), trouble('', 'Secret')];
    const cluster = { cache: { resources, troubles, serverVersion: '' } } as unknown as Cluster;
    expect(capabilitiesOf(cluster).apiVersions).toEqual(['shop.example/v1', 'v1', 'v1/ConfigMap']);
  });
});

describe('The wait for what was written', () => {
  const context = { timers: systemTimers } as unknown as ControllerContext;
  const key = { group: '', kind: 'ConfigMap', namespace: 'a', name: 'b' };
  const signal = new AbortController().signal;
  const state = { name: 'synced' };

  it('ends when the cache knows, though nobody is told', async () => {
    let looks = 0;
    const find = (): object => ({ resourceVersion: String((looks += 1)) });
    await waitForCache(context, { state, isKnown: () => true, find } as unknown as LiveCache, [{ key, resourceVersion: '3' }], signal);
    expect(looks).toBe(3);
  });

  it('does not begin for kinds that nobody follows, nor for what is on its way out', async () => {
    const startedMs = performance.now();
    const body = { metadata: { deletionTimestamp: 'now' } };
    const leaving = { state, isKnown: () => true, find: () => ({ resourceVersion: '1', body }) } as unknown as LiveCache;
    await waitForCache(context, leaving, [{ key, resourceVersion: 'none' }], signal);
    const unknown = { state, isKnown: () => false, find: () => undefined } as unknown as LiveCache;
    await waitForCache(context, unknown, [{ key, resourceVersion: '3' }], signal);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('doubts what follows the kinds that have not told after a while, once, and goes on', async () => {
    const timers = new ManualTimers();
    const doubted: string[] = [];
    const cache = {
      state,
      isKnown: () => true,
      find: ({ kind }: ObjectKeyParts) => ({ resourceVersion: kind === 'Secret' || doubted.length > 0 ? '3' : '2' }),
      doubt: ({ kind }: ObjectKeyParts) => doubted.push(kind),
    } as unknown as LiveCache;
    const expectations = ['ConfigMap', 'Secret'].map((kind) => ({ key: { ...key, kind }, resourceVersion: '3' }));
    let isOver = false;
    const waiting = waitForCache({ ...context, timers }, cache, expectations, signal).then(() => (isOver = true));
    await timers.advance(2_900);
    expect([doubted, isOver]).toEqual([[], false]);
    await timers.advance(700);
    expect([doubted, isOver]).toEqual([['ConfigMap'], true]);
    await waiting;
  });

  it('ends where the cache is at its end, or begins anew', async () => {
    const gone = (): never => {
      throw new Error('the cluster has not been read');
    };
    for (const name of ['stopped', 'starting'])
      await waitForCache(context, { state: { name }, isKnown: gone } as unknown as LiveCache, [{ key, resourceVersion: '3' }], signal);
  });

  it('ends with whoever waits', async () => {
    const controller = new AbortController();
    const never = { state, isKnown: () => true, find: () => undefined } as unknown as LiveCache;
    const waiting = waitForCache(context, never, [{ key, resourceVersion: '3' }], controller.signal);
    controller.abort();
    await waiting;
  });
});
