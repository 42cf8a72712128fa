import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFaultProxy, type Fault, type FaultProxy, type ProxiedRequest } from '../support/fault-proxy.ts';
import { follow, type Follower } from '../support/follow.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Attempts come at most every 25 ms at first and every 200 ms later, and each is tried up to four times by the client below. */
const REQUESTS_PER_SECOND_MAX = 40;
const isWatch = ({ isWatch: watched }: ProxiedRequest): boolean => watched;
const isList = ({ isWatch: watched, url }: ProxiedRequest): boolean => !watched && url.includes('/configmaps');
const refusal = (status: number, reason: string, retryAfterSeconds?: number): Fault => ({
  kind: 'answer',
  status,
  reason,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

describeWithCluster('A cache behind a bad line to a real cluster', (cluster) => {
  let direct: HttpKubeApi;
  let proxied: HttpKubeApi;
  let proxy: FaultProxy;
  let namespace: string;
  let follower: Follower | undefined;
  let round = 0;

  beforeAll(async () => {
    direct = await connectTo(cluster());
    proxy = await startFaultProxy(cluster());
    proxied = await connectTo(cluster(), { server: proxy.url, limits: { streamStartMs: 1000, connectMs: 1000, retryDelayMs: 20 } });
    namespace = await testNamespace(cluster());
    for (let index = 0; index < 25; index += 1) await direct.create(kinds.configMap, configMap(`old-${index}`));
  }, 60_000);
  afterEach(async () => {
    await follower?.stop();
    follower = undefined;
    await proxy.liftAll();
  });
  afterAll(async () => {
    await proxied.close();
    await proxy.close();
    await direct.close();
  });

  const configMap = (name: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name },
    data: { text: 'x'.repeat(2000) },
  });

  function begin(limits?: Parameters<typeof follow>[0]['limits']): Follower {
    follower = follow({ api: proxied, type: kinds.configMap, namespace, ...(limits && { limits }) });
    return follower;
  }

  /** Changes of every sort, past the proxy. */
  async function change(): Promise<void> {
    round += 1;
    for (let index = 0; index < 3; index += 1) {
      await direct.create(kinds.configMap, configMap(`made-${round}-${index}`));
      const ref = { namespace, name: `old-${(round * 3 + index) % 25}` };
      await direct.patch(kinds.configMap, ref, { type: 'merge', body: { data: { round: `${round}` } } });
      if (round > 1) await direct.delete(kinds.configMap, { namespace, name: `made-${round - 1}-${index}` });
    }
  }

  async function synced(limits?: Parameters<typeof follow>[0]['limits']): Promise<Follower> {
    const started = begin(limits);
    await started.reflector.whenSynced();
    await waitUntil(() => proxy.requests.at(-1)?.isWatch === true);
    return started;
  }

  describe('while it watches', () => {
    it.each<[string, Fault, number]>([
      ['410', refusal(410, 'Expired'), 6],
      ['429 with a time to wait', refusal(429, 'TooManyRequests', 1), 1],
      ['500', refusal(500, 'InternalError'), 6],
      ['503', refusal(503, 'ServiceUnavailable'), 6],
      ['an empty stream', { kind: 'empty' }, 6],
      ['silence', { kind: 'silence' }, 2],
    ])('finds back after %s to every watch, and does not spin', async (_, fault, failures) => {
      const { reflector, converges } = await synced();
      const sinceMs = Date.now();
      const injected = proxy.inject(fault, { only: isWatch });
      proxy.cutAll();
      await change();
      await waitUntil(() => injected.hits >= 2 && reflector.counts.failures >= failures);
      expect(reflector.trouble).toBeDefined();
      expect(proxy.busiestSecond(sinceMs)).toBeLessThanOrEqual(REQUESTS_PER_SECOND_MAX);
      injected.lift();
      await converges(direct);
      await change();
      await converges(direct);
      await waitUntil(() => reflector.trouble === undefined);
    });

    it.each<[string, Fault]>([
      ['are cut in the middle of an object', { kind: 'half', ending: 'cut' }],
      ['end with half a line', { kind: 'half', ending: 'end' }],
    ])('finds back when its watches %s', async (_, fault) => {
      const { reflector, converges } = await synced();
      const lists = reflector.counts.lists;
      const injected = proxy.inject(fault, { only: isWatch, times: 4 });
      await waitUntil(async () => {
        await change();
        return injected.hits === 4;
      });
      await converges(direct);
      expect(reflector.counts.lists).toBe(lists);
    });

    it('notices that its watch has fallen silent', async () => {
      const { reflector, converges } = await synced({ stallMs: 700 });
      proxy.silenceAll();
      await change();
      await converges(direct);
      expect(reflector.counts.lists).toBe(1);
    });

    it('goes on from where it was when connections are cut, without listing again', async () => {
      const { reflector, converges } = await synced();
      const watches = (): number => proxy.requests.filter(isWatch).length;
      for (let times = 0; times < 5; times += 1) {
        const before = watches();
        proxy.cutAll();
        await change();
        await waitUntil(() => watches() > before);
      }
      await converges(direct);
      expect(reflector.counts.lists).toBe(1);
    });

    it('takes slow bytes for what they are', async () => {
      proxy.inject({ kind: 'slow', bytes: 300, everyMs: 2 }, { only: isWatch, times: 1 });
      const { reflector, converges } = await synced();
      await change();
      await converges(direct);
      expect(reflector.counts).toMatchObject({ lists: 1, watches: 1, failures: 0 });
    });

    it('comes back when nobody listened for a while', async () => {
      const { reflector, converges } = await synced();
      const { failures } = reflector.counts;
      await proxy.refuse();
      await change();
      await waitUntil(() => reflector.counts.failures >= failures + 4);
      expect(reflector.trouble?.reason).toBe('unreachable');
      await proxy.accept();
      await converges(direct);
    });
  });

  describe('while it lists', () => {
    it.each<[string, Fault, number]>([
      ['is cut in the middle of a page', { kind: 'cut', afterBytes: 9000 }, 6],
      ['ends in the middle of a page', { kind: 'half', ending: 'end' }, 3],
      ['fails with 500', refusal(500, 'InternalError'), 9],
      ['fails with 503', refusal(503, 'ServiceUnavailable'), 9],
      ['is throttled', refusal(429, 'TooManyRequests', 1), 2],
      ['is not answered', { kind: 'silence' }, 1],
      ['comes slowly', { kind: 'slow', bytes: 5000, everyMs: 20 }, 3],
    ])('finds back when the list %s', async (_, fault, times) => {
      const sinceMs = Date.now();
      const injected = proxy.inject(fault, { only: isList, times });
      const { converges, reflector } = begin();
      expect(await reflector.whenSynced()).toBe(true);
      expect(injected.hits).toBe(times);
      await change();
      await converges(direct);
      expect(reflector.trouble).toBeUndefined();
      expect(proxy.busiestSecond(sinceMs)).toBeLessThanOrEqual(REQUESTS_PER_SECOND_MAX);
    });
  });

  it('begins a list again when its pages expire', async () => {
    const isLaterPage = (request: ProxiedRequest): boolean => isList(request) && request.url.includes('continue=');
    const injected = proxy.inject(refusal(410, 'Expired'), { only: isLaterPage, times: 3 });
    const { converges, reflector } = begin({ pageSize: 1 });
    expect(await reflector.whenSynced()).toBe(true);
    expect(injected.hits).toBe(3);
    expect(reflector.counts).toMatchObject({ lists: 4, failures: 1 });
    await converges(direct);
  });

  it('finds back from everything at once', async () => {
    const { converges } = await synced({ stallMs: 1000 });
    const faults: Fault[] = [
      refusal(410, 'Expired'),
      refusal(503, 'ServiceUnavailable'),
      { kind: 'half', ending: 'cut' },
      { kind: 'half', ending: 'end' },
      { kind: 'empty' },
    ];
    for (const fault of faults) {
      const injected = proxy.inject(fault, { only: (request) => isWatch(request) || isList(request), times: 3 });
      proxy.cutAll();
      await waitUntil(async () => {
        await change();
        return injected.hits === 3;
      });
      proxy.silenceAll();
    }
    await converges(direct);
  });
});
