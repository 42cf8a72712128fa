import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedWatch } from '../../../test/support/scripted-kube-api.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createLogger, systemClock, systemTimers } from '../../base/index.ts';
import type { DiscoveredResource, Discovery, KubeApi, ResourceType } from '../../kube/index.ts';
import { statusError, type KubeObject } from '../../objects/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { ClustersLimits } from '../clusters.ts';
import type { Registration } from '../registration/registration.ts';
import { ClusterCache } from './cluster-cache.ts';

function resource(group: string, kind: string): DiscoveredResource {
  const plural = `${kind.toLowerCase()}s`;
  const names = { singular: kind.toLowerCase(), shortNames: [], categories: [], subresources: [] };
  return { group, version: 'v1', plural, kind, namespaced: true, ...names, verbs: ['get', 'list', 'watch'], preferred: true };
}

const maps = resource('', 'ConfigMap');
const secrets = resource('', 'Secret');
const orders = resource('shop.example', 'Order');
const definitions = { ...resource('apiextensions.k8s.io', 'CustomResourceDefinition'), namespaced: false };
const silent = { group: 'shop.example', version: 'v1', message: 'the server of this group does not answer' };
const whole: Discovery = { resources: [maps, secrets, orders], failures: [] };
const partial: Discovery = { resources: [maps, secrets], failures: [silent] };

/** A cluster with one object of each kind, which refuses what a test says. */
class Cluster {
  discovery = whole;
  discoveries = 0;
  lists = 0;
  /** When lists are answered. */
  answering = Promise.resolve();
  version = (): string => 'v1.36.3';
  refusalOf = (_kind: string): Error | undefined => undefined;
  readonly #watches = new Set<{ readonly kind: string; readonly watch: ScriptedWatch }>();

  readonly api = {
    discover: async () => {
      this.discoveries += 1;
      return this.discovery;
    },
    version: async () => ({ gitVersion: this.version() }),
    list: async ({ kind }: ResourceType) => {
      this.#check(kind);
      this.lists += 1;
      await this.answering;
      return { metadata: { resourceVersion: '1' }, items: [objectOf(kind)] };
    },
    watch: ({ kind }: ResourceType, options: object) => {
      this.#check(kind);
      const watch = new ScriptedWatch(options);
      this.#watches.add({ kind, watch });
      return watch;
    },
  } as unknown as KubeApi;

  /** Ends the watches of a kind; whoever begins anew may be refused. */
  endWatches(kind: string): void {
    for (const one of this.#watches) if (one.kind === kind) one.watch.end();
  }

  send(kind: string, type: 'MODIFIED' | 'DELETED', object: KubeObject): void {
    for (const one of this.#watches) if (one.kind === kind) one.watch.send(type, object);
  }

  #check(kind: string): void {
    const refusal = this.refusalOf(kind);
    if (refusal !== undefined) throw refusal;
  }
}

const orderDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'orders.shop.example', uid: 'definition', generation: 1, resourceVersion: '1' },
  spec: { group: 'shop.example', names: { plural: 'orders' }, versions: [{ name: 'v1', served: true }] },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
};

function objectOf(kind: string): KubeObject {
  if (kind === 'CustomResourceDefinition') return orderDefinition;
  return { apiVersion: 'v1', kind, metadata: { namespace: 'space', name: 'one', uid: kind, resourceVersion: '1' } };
}

const open: ClusterCache[] = [];
afterEach(async () => {
  for (const cache of open.splice(0)) await cache.close();
});

function openCache({ api }: Cluster, respectRbac = '', chosen: Partial<ClustersLimits> = {}): ClusterCache {
  const general = { resourceExclusions: [], resourceInclusions: [], respectRbac, ignoreResourceUpdatesEnabled: false };
  const limits: Partial<ClustersLimits> = {
    coalesceMs: 1,
    callMs: 5_000,
    silentMs: 5_000,
    retryMs: 1,
    rediscoverMs: 600_000,
    idleMs: 600_000,
    watch: { watchMinMs: 0, backOff: { firstMs: 1, maxMs: 5 } },
    ...chosen,
  };
  const cache = new ClusterCache({
    connect: () => api,
    context: () => ({
      registration: { server: 'https://example.com', namespaces: [], clusterResources: true } as unknown as Registration,
      snapshot: () => ({ general, resourceOverrides: new Map() }) as unknown as Snapshot,
      rules: { instanceOf: () => 'shop', healthOf: () => undefined, factsOf: () => undefined },
      onDiscovered: () => undefined,
      limits: limits as ClustersLimits,
      clock: systemClock,
      timers: systemTimers,
      random: () => 0.5,
      log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    }),
  });
  open.push(cache);
  return cache;
}

async function discoverAgain(cluster: Cluster, cache: ClusterCache): Promise<void> {
  const before = cluster.discoveries;
  cache.rediscover();
  await waitUntil(() => cluster.discoveries > before);
}

describe('A group whose server does not answer', () => {
  it('is served as before, and its objects stay known, until the cluster says that it has gone', async () => {
    const cluster = new Cluster();
    const cache = openCache(cluster);
    await cache.whenSynced();
    cluster.discovery = partial;
    await discoverAgain(cluster, cache);
    await waitUntil(() => cache.troubles().length > 0);
    expect(cache.typeOf({ group: 'shop.example', kind: 'Order' })).toEqual(orders);
    expect(cache.find({ group: 'shop.example', kind: 'Order', namespace: 'space', name: 'one' })).toBeDefined();
    cluster.discovery = { ...partial, failures: [] };
    await discoverAgain(cluster, cache);
    await waitUntil(() => cache.troubles().length === 0);
    expect(cache.typeOf({ group: 'shop.example', kind: 'Order' })).toBeUndefined();
    await waitUntil(() => cache.counts.kinds === 2);
  });

  it('is served as before also where the cluster is read anew meanwhile', async () => {
    const cluster = new Cluster();
    const cache = openCache(cluster);
    await cache.whenSynced();
    cluster.discovery = partial;
    cache.invalidate();
    await cache.whenSynced();
    expect(cache.resources).toEqual([maps, secrets, orders]);
  });
});

describe('A kind that is not shown', () => {
  const order = { group: 'shop.example', kind: 'Order', namespace: 'space', name: 'one' };
  const shown: Discovery = { resources: [maps, definitions, orders], failures: [] };
  const unshown: Discovery = { resources: [maps, definitions], failures: [] };

  it('is served as before, and its objects stay known, for as long as its definition is in force', async () => {
    const cluster = new Cluster();
    cluster.discovery = shown;
    const cache = openCache(cluster);
    await cache.whenSynced();
    cluster.discovery = unshown;
    // The second begins when the first has been taken in.
    await discoverAgain(cluster, cache);
    await discoverAgain(cluster, cache);
    expect(cache.typeOf(order)).toEqual(orders);
    expect(cache.find(order)).toBeDefined();
    cluster.send('CustomResourceDefinition', 'DELETED', orderDefinition);
    await waitUntil(() => cache.typeOf(order) === undefined && cache.counts.kinds === 2);
  });

  it('is waited for where a cluster has just been started, so that nobody takes its objects for gone', async () => {
    const cluster = new Cluster();
    cluster.discovery = unshown;
    const cache = openCache(cluster);
    const synced = cache.whenSynced();
    await waitUntil(() => cluster.discoveries === 1);
    cluster.discovery = shown;
    await synced;
    expect(cache.find(order)).toBeDefined();
  });

  it('is let go as soon as its objects cannot be followed any more, and not when all kinds are asked for again', async () => {
    const cluster = new Cluster();
    const cache = openCache(cluster);
    await cache.whenSynced();
    cluster.discovery = { resources: [maps, secrets], failures: [] };
    const gone = statusError('NotFound', 'the server could not find the requested resource');
    cluster.refusalOf = (kind) => (kind === 'Order' ? gone : undefined);
    cluster.endWatches('Order');
    await waitUntil(() => cache.typeOf(order) === undefined && cache.troubles().length === 0);
  });
});

describe('A cluster that is slow', () => {
  it('is read with what comes after it was given up, and not asked for all of it again', async () => {
    const cluster = new Cluster();
    const answered = Promise.withResolvers<void>();
    cluster.answering = answered.promise;
    const cache = openCache(cluster, '', { silentMs: 20, retryMs: 500 });
    await expect(cache.whenSynced()).rejects.toThrow('its objects have not been read yet');
    answered.resolve();
    await waitUntil(() => cache.state.name === 'synced');
    expect([cluster.lists, cache.counts.rows]).toEqual([3, 3]);
  });
});

describe('The version of a cluster', () => {
  it('is waited for, as charts are rendered for it', async () => {
    const cluster = new Cluster();
    let asked = 0;
    cluster.version = () => {
      asked += 1;
      if (asked === 1) throw statusError('InternalError', 'the server is ill');
      return 'v1.36.3';
    };
    const cache = openCache(cluster);
    await expect(cache.whenSynced()).rejects.toThrow('the server is ill');
    await waitUntil(() => cache.state.name === 'synced');
    expect(cache.serverVersion).toBe('v1.36.3');
  });

  it('is done without where we may not ask, and stays known where it cannot be asked for', async () => {
    const cluster = new Cluster();
    cluster.version = () => {
      throw statusError('Forbidden', 'no');
    };
    const cache = openCache(cluster);
    await cache.whenSynced();
    expect(cache.serverVersion).toBe('');
    cluster.version = () => 'v1.36.3';
    await discoverAgain(cluster, cache);
    await waitUntil(() => cache.serverVersion === 'v1.36.3');
    cluster.version = () => {
      throw statusError('InternalError', 'the server is ill');
    };
    cluster.discovery = { ...whole, resources: [maps] };
    await discoverAgain(cluster, cache);
    await waitUntil(() => cache.resources.length === 1);
    expect(cache.serverVersion).toBe('v1.36.3');
  });
});

describe('A kind that we may not list, where rights are respected', () => {
  const secret = { group: '', kind: 'Secret', namespace: 'space' };
  const forbidden = (kind: string): Error | undefined => (kind === 'Secret' ? statusError('Forbidden', 'no') : undefined);

  it('is let go where it could not be read at all, and is not taken for one without objects', async () => {
    const cluster = new Cluster();
    cluster.refusalOf = forbidden;
    const cache = openCache(cluster, 'normal');
    await cache.whenSynced();
    await waitUntil(() => cache.counts.kinds === 2);
    expect(cache.troubles()).toEqual([]);
    expect([cache.isKnown(secret), cache.isHidden(secret)]).toEqual([false, true]);
    expect(cache.isHidden({ ...secret, kind: 'ConfigMap' })).toBe(false);
    expect(cache.isHidden({ ...secret, kind: 'Unheard' })).toBe(false);
  });

  it('stays with its trouble where it was read before', async () => {
    const cluster = new Cluster();
    const cache = openCache(cluster, 'normal');
    await cache.whenSynced();
    cluster.refusalOf = forbidden;
    cluster.endWatches('Secret');
    await waitUntil(() => cache.troubles().length > 0);
    expect(cache.troubles()).toMatchObject([{ type: { kind: 'Secret' }, synced: true, trouble: { reason: 'forbidden' } }]);
    expect(cache.find({ ...secret, name: 'one' })).toBeDefined();
    expect(cache.isHidden(secret)).toBe(false);
  });

  it('stays with its trouble where the cluster does not know who asks', async () => {
    const cluster = new Cluster();
    cluster.refusalOf = (kind) => (kind === 'Secret' ? statusError('Unauthorized', 'who are you?') : undefined);
    const cache = openCache(cluster, 'normal');
    await cache.whenSynced();
    expect(cache.troubles()).toMatchObject([{ type: { kind: 'Secret' }, synced: false, trouble: { reason: 'unauthorized' } }]);
  });
});
