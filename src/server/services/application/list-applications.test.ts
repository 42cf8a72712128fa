import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { ApplicationQuery, ApplicationService, ApplicationWatchEvent } from '../../../contract/index.ts';
import type { ObjectChange } from '../../../kube/index.ts';
import { applicationType } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

let plane: ApplicationPlane;
let service: ApplicationService<Call>;
let hidden = '';

const SERVER = 'https://kubernetes.default.svc';
const call = (signal?: AbortSignal): Call => ({ ...createServiceCall('/application.ApplicationService/List'), ...(signal && { signal }) });

async function create(name: string, more: { spec?: object; sync?: string; health?: string } = {}): Promise<void> {
  const source = { repoURL: 'https://git.example/one', path: '.' };
  await plane.create(name, { project: 'default', source, destination: { server: SERVER, namespace: 'a' }, ...more.spec });
  await report(name, more.sync ?? 'Synced', more.health ?? 'Healthy');
}

async function report(name: string, sync: string, health: string): Promise<void> {
  const body = { status: { sync: { status: sync }, health: { status: health } } };
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
}

beforeAll(async () => {
  plane = await openApplicationPlane();
  const policy = { isAllowed: (_caller: unknown, _resource: string, _action: string, object: string) => object !== `default/${hidden}` };
  service = createApplicationService({ ...plane.service, policy }) as ApplicationService<Call>;
  await create('alpha');
  await create('beta', { sync: 'OutOfSync', health: 'Degraded', spec: { syncPolicy: { automated: {} } } });
  await create('gamma', { sync: 'OutOfSync', spec: { destination: { name: 'in-cluster', namespace: 'b' } } });
  await create('delta', { spec: { source: { repoURL: 'https://git.example/two', path: '.' } } });
  await waitUntil(() => [...plane.applications.values()].filter((object) => object['status'] !== undefined).length === 4);
}, 60_000);

afterAll(() => plane.close());

describe('A list', () => {
  const namesOf = async (query: ApplicationQuery): Promise<string[]> =>
    (await service.List(query, call())).items.map(({ metadata }) => metadata.name ?? '');

  it('says nothing more than it always did to those who ask nothing more', async () => {
    const list = await service.List({}, call());
    expect(list.items).toHaveLength(4);
    expect(Object.keys(list)).toEqual(['metadata', 'items']);
    expect(Object.keys(list.metadata)).toEqual(['resourceVersion']);
  });

  it.each<[string, ApplicationQuery, readonly string[]]>([
    ['a part of the name', { search: 'ET' }, ['beta']],
    ['names from one on', { minName: 'beta', maxName: 'delta' }, ['beta', 'delta']],
    ['sync statuses', { syncStatuses: ['OutOfSync', 'Unknown'] }, ['beta', 'gamma']],
    ['health', { healthStatuses: ['Degraded'] }, ['beta']],
    ['what needs somebody', { needsAttention: true }, ['beta', 'gamma']],
    ['what needs nobody', { needsAttention: false }, ['alpha', 'delta']],
    ['clusters by server, however they are named', { clusters: [SERVER], search: 'gamma' }, ['gamma']],
    ['clusters by name, however they are named', { clusters: ['in-cluster'], search: 'alpha' }, ['alpha']],
    ['namespaces', { namespaces: ['b'] }, ['gamma']],
    ['repositories of any source', { repos: ['https://git.example/two'] }, ['delta']],
    ['automation', { autoSyncEnabled: true }, ['beta']],
    ['several conditions together', { syncStatuses: ['OutOfSync'], namespaces: ['a'] }, ['beta']],
    ['another order', { orderBy: '-health' }, ['alpha', 'delta', 'gamma', 'beta']],
    ['the other way round', { orderBy: '-name' }, ['gamma', 'delta', 'beta', 'alpha']],
    ['a page', { offset: 1, limit: 2 }, ['beta', 'delta']],
    ['a page that is not there', { offset: 9, limit: 2 }, []],
  ])('can be asked for by %s', async (_what, query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  it('has those that it gives compared anew, and no others', async () => {
    const marks = async (): Promise<Record<string, string>> => {
      const { items } = await plane.home.embedded.list(applicationType, { namespace: 'argocd' });
      const marked = items.flatMap(({ metadata: { name = '', annotations } }) => {
        const mark = annotations?.['argocd.argoproj.io/refresh'];
        return mark === undefined ? [] : [[name, mark]];
      });
      return Object.fromEntries(marked) as Record<string, string>;
    };
    hidden = 'alpha';
    await namesOf({ projects: ['default'] });
    expect(await marks()).toEqual({});
    expect(await namesOf({ repo: 'https://git.example/one', refresh: 'hard' })).toEqual(['beta', 'gamma']);
    expect(await marks()).toEqual({ beta: 'hard', gamma: 'hard' });
    expect(await namesOf({ limit: 1, offset: 2, refresh: 'normal' })).toEqual(['gamma']);
    expect(await marks()).toEqual({ beta: 'hard', gamma: 'normal' });
    hidden = '';
  });

  it('keeps its order when applications come, change and go', async () => {
    expect(await namesOf({})).toEqual(['alpha', 'beta', 'delta', 'gamma']);
    await create('brand-new');
    await waitUntil(async () => (await namesOf({})).length === 5);
    expect(await namesOf({ limit: 3 })).toEqual(['alpha', 'beta', 'brand-new']);
    await report('brand-new', 'Unknown', 'Missing');
    await waitUntil(async () => (await namesOf({ healthStatuses: ['Missing'] })).length === 1);
    expect(await namesOf({ orderBy: '-health' })).toEqual(['brand-new', 'alpha', 'delta', 'gamma', 'beta']);
    await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'brand-new' });
    await waitUntil(async () => (await namesOf({})).length === 4);
    expect(await namesOf({ orderBy: 'name' })).toEqual(['alpha', 'beta', 'delta', 'gamma']);
  });

  it('counts all that match, not only those of a page', async () => {
    const list = await service.List({ limit: 1 }, call());
    expect(list.metadata.remainingItemCount).toBe(3);
    expect(list.stats).toEqual({
      total: 4,
      totalBySyncStatus: { Synced: 2, OutOfSync: 2 },
      totalByHealthStatus: { Healthy: 3, Degraded: 1 },
      autoSyncEnabledCount: 1,
      clusters: [SERVER, 'in-cluster'],
      namespaces: ['a', 'b'],
      repos: ['https://git.example/one', 'https://git.example/two'],
    });
  });

  it('counts nothing that the caller may not see', async () => {
    hidden = 'beta';
    expect((await service.List({ limit: 1 }, call())).stats).toMatchObject({ total: 3, totalBySyncStatus: { OutOfSync: 1 } });
    hidden = '';
  });

  it('JQ-03 takes a search as a part of a name, and refuses what is too long or makes no sense', async () => {
    expect(await namesOf({ search: '(a+)+$' })).toEqual([]);
    const refused = [
      { search: 'a'.repeat(1 << 20) },
      { selector: 'a='.padEnd(1 << 20, 'b') },
      { orderBy: '__proto__' },
      { limit: -1 },
      { offset: -1 },
    ];
    for (const query of refused) await expect(service.List(query, call())).rejects.toMatchObject({ code: 3 });
    const startedMs = performance.now();
    await service.List({ selector: `a in (${'b,'.repeat(5_000)}b)` }, call());
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});

describe('A watch from a version on', () => {
  it('tells of what is found to be gone, however old that was', async () => {
    const listeners = new Set<(change: ObjectChange) => void>();
    const { applications } = plane.service;
    const old = applications.get({ namespace: 'argocd', name: 'alpha' });
    if (old === undefined) throw new Error('there is no alpha');
    const relisted = {
      ...applications,
      subscribe: (listener: (change: ObjectChange) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      values: () => [].values(),
      whenSynced: async () => true,
    };
    const options = { ...plane.service, applications: relisted, policy: { isAllowed: () => true } };
    const other = createApplicationService(options) as ApplicationService<Call>;
    const watching = other.Watch({ resourceVersion: '999999999' }, call())[Symbol.asyncIterator]();
    const first = watching.next();
    await waitUntil(() => listeners.size > 1);
    for (const listener of listeners) listener({ type: 'removed', object: old, previous: old });
    expect((await first).value).toMatchObject({ type: 'DELETED', application: { metadata: { name: 'alpha' } } });
    await watching.return?.();
  });
});

describe('A watch with a filter', () => {
  it('says when an application enters and leaves it', async () => {
    const ended = new AbortController();
    const events: string[] = [];
    const describeEvent = ({ type, application }: ApplicationWatchEvent): string =>
      `${type} ${application?.metadata.name ?? ''}${application?.spec.destination.namespace === undefined ? ' (name only)' : ''}`;
    const watching = (async () => {
      for await (const event of service.Watch({ syncStatuses: ['OutOfSync'] }, call(ended.signal))) events.push(describeEvent(event));
    })();
    const saw = async (...expected: readonly string[]): Promise<void> => {
      await waitUntil(() => events.length >= expected.length);
      expect(events.splice(0)).toEqual(expected);
    };
    await saw('ADDED beta', 'ADDED gamma');
    await report('alpha', 'OutOfSync', 'Healthy');
    await saw('ADDED alpha');
    await report('alpha', 'OutOfSync', 'Degraded');
    await saw('MODIFIED alpha');
    await report('delta', 'Synced', 'Degraded');
    await report('alpha', 'Synced', 'Healthy');
    await saw('DELETED alpha');
    hidden = 'gamma';
    await report('gamma', 'OutOfSync', 'Degraded');
    await saw('DELETED gamma (name only)');
    hidden = '';
    await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'beta' });
    await saw('DELETED beta');
    ended.abort();
    await watching.catch(() => undefined);
  });
});
