import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { scriptedList } from '../../../../test/support/scripted-kube-api.ts';
import { openScriptedStore } from '../../../../test/support/scripted-store.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { ApiError, Code, createLogger } from '../../../base/index.ts';
import type { ApplicationQuery, ApplicationService, ApplicationWatchEvent } from '../../../contract/index.ts';
import type { KubeApi, ObjectChange } from '../../../kube/index.ts';
import { applicationType } from '../../../model/index.ts';
import { statusError, type KubeObject } from '../../../objects/index.ts';
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

  it.each<[string, Error]>([
    ['a refusal', statusError('Forbidden', 'applications.argoproj.io "beta" is forbidden')],
    ['shadow mode', new ApiError(Code.FailedPrecondition, 'nothing is written in shadow mode')],
    ['an outage', new ApiError(Code.Unavailable, 'the cluster does not answer')],
  ])('is given all the same where it cannot be compared anew: %s', async (_what, failure) => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
    const home = { ...plane.home.api, patch: () => Promise.reject(failure) };
    const refused = createApplicationService({ ...plane.service, home, log }) as ApplicationService<Call>;
    expect((await refused.List({ refresh: 'normal' }, call())).items).toHaveLength(4);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'warn',
        message: 'applications of a list could not be marked to be compared anew',
        count: 4,
        error: { message: failure.message },
      },
    ]);
  });

  it('is given whole where it has more than are compared anew for one list', async () => {
    const object = (index: number): KubeObject => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', name: `app-${String(index).padStart(4, '0')}`, resourceVersion: String(index + 1) },
      spec: { project: 'default', destination: { server: SERVER, namespace: 'a' } },
    });
    const items = Array.from({ length: 1_005 }, (_, index) => object(index));
    const { store } = await openScriptedStore(applicationType, () => scriptedList('2000', items));
    const marked: string[] = [];
    let isDown = false;
    const home: KubeApi = {
      ...plane.home.api,
      patch: async (_type, { name }) => {
        marked.push(name);
        if (isDown) throw new ApiError(Code.Unavailable, 'the cluster does not answer');
        return object(0);
      },
    };
    const many = createApplicationService({ ...plane.service, applications: store, home }) as ApplicationService<Call>;
    expect((await many.List({ refresh: 'normal' }, call())).items).toHaveLength(1_005);
    expect([marked.length, marked.at(0), marked.at(-1)]).toEqual([1_000, 'app-0000', 'app-0999']);
    // It does not wait for a home that does not answer once for each.
    isDown = true;
    marked.length = 0;
    expect((await many.List({ refresh: 'normal' }, call())).items).toHaveLength(1_005);
    expect(marked).toHaveLength(10);
    await store.stop();
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

describe('A watch from the version of a list on', () => {
  it('tells of a change that the list did not have, because the answer to a later one came first', async () => {
    const object = (name: string, resourceVersion: string): KubeObject => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', name, resourceVersion },
      spec: { project: 'default', destination: { server: SERVER, namespace: 'a' } },
    });
    const { store, tell } = await openScriptedStore(applicationType, () =>
      scriptedList('100', [object('first', '90'), object('second', '91')]),
    );
    const policy = { isAllowed: () => true };
    const other = createApplicationService({ ...plane.service, applications: store, policy }) as ApplicationService<Call>;
    store.noticeWrite(object('first', '102'));
    const { metadata, items } = await other.List({}, call());
    expect(items.map((item) => item.metadata.resourceVersion)).toEqual(['102', '91']);
    const watching = other.Watch({ resourceVersion: metadata.resourceVersion ?? '' }, call())[Symbol.asyncIterator]();
    const next = async (): Promise<object> => {
      const { type, application } = (await watching.next()).value as ApplicationWatchEvent;
      return { type, version: application?.metadata.resourceVersion };
    };
    expect(await next()).toEqual({ type: 'ADDED', version: '102' });
    await tell('MODIFIED', object('second', '101'));
    expect(await next()).toEqual({ type: 'MODIFIED', version: '101' });
    await watching.return?.();
    await store.stop();
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
