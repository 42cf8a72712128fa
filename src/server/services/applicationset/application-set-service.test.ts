import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  applicationSet,
  openApplicationSetPlane,
  templateOf,
  type ApplicationSetPlane,
} from '../../../../test/support/application-set-plane.ts';
import { scriptedList } from '../../../../test/support/scripted-kube-api.ts';
import { openScriptedStore } from '../../../../test/support/scripted-store.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { Code } from '../../../base/index.ts';
import type { ApplicationSetService, ApplicationSetWatchEvent, ApplicationSetWatchQuery } from '../../../contract/index.ts';
import { applicationSetType, appProjectType, type ApplicationSet } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationSetService } from './create-application-set-service.ts';

let sets: ApplicationSetPlane;
let service: ApplicationSetService<Call>;
/** Lines such as `get shop/web`; a star stands for all. */
let allowed: readonly string[] = ['*'];

beforeAll(async () => {
  sets = await openApplicationSetPlane();
  const isAllowed = (_caller: unknown, resource: string, action: string, object: string): boolean =>
    allowed.includes('*') || (resource === 'applicationsets' && allowed.includes(`${action} ${object}`));
  service = createApplicationSetService({ ...sets.service, policy: { isAllowed } });
  const { api } = sets.plane.home;
  await api.create(appProjectType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {},
  });
  await waitUntil(() => sets.context.projects.get({ namespace: 'argocd', name: 'shop' }));
}, 60_000);

afterEach(async () => {
  allowed = ['*'];
  const { api } = sets.plane.home;
  for (const { metadata } of Array.from(sets.applicationSets.values()))
    await api.delete(applicationSetType, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
  await waitUntil(() => sets.applicationSets.size === 0);
});
afterAll(() => sets.close());

const call = (permissions: readonly string[] = ['*']): Call => {
  allowed = permissions;
  return createServiceCall('/applicationset.ApplicationSetService/Get');
};

interface Given {
  readonly project?: string;
  readonly elements?: readonly object[];
  readonly generators?: readonly object[];
  readonly metadata?: object;
  readonly spec?: object;
}

function setOf(name: string, { project = 'default', elements = [{ name: 'a' }], generators, metadata, spec }: Given = {}): ApplicationSet {
  return {
    metadata: { name, ...metadata },
    spec: { generators: generators ?? [{ list: { elements } }], template: templateOf('{{name}}', { project }), ...spec },
  } as unknown as ApplicationSet;
}

const create = (set: ApplicationSet, options: object = {}, permissions?: readonly string[]) =>
  service.Create({ applicationset: set, ...options }, call(permissions));

describe('creating an application set', () => {
  it('keeps what was sent, and nothing of a status', async () => {
    const made = await create({ ...setOf('web', { metadata: { labels: { a: 'b' } } }), status: { resourcesCount: 5 } });
    expect(made).toMatchObject({ metadata: { name: 'web', namespace: 'argocd', labels: { a: 'b' } } });
    expect(made.status).toBeUndefined();
    expect((await service.Get({ name: 'web' }, call())).metadata.uid).toBe(made.metadata.uid);
  });

  it('again with the same content is the same, with another only with upsert', async () => {
    const made = await create(setOf('web'));
    expect((await create(setOf('web'))).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    const other = setOf('web', { elements: [{ name: 'b' }], metadata: { labels: { x: '1' }, finalizers: ['a/b'] } });
    await expect(create(other)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      message: 'existing ApplicationSet spec is different, use upsert flag to force update',
    });
    await sets.patch('web', { metadata: { labels: { keep: '1' } } });
    expect(await create(other, { upsert: true })).toMatchObject({
      metadata: { labels: { keep: '1', x: '1' }, finalizers: ['a/b'], uid: made.metadata.uid },
      spec: { generators: [{ list: { elements: [{ name: 'b' }] } }] },
    });
    await sets.patch('web', { metadata: { finalizers: null } });
  });

  it('can be tried without making anything', async () => {
    const tried = await create(setOf('web', { elements: [{ name: 'a' }, { name: 'b' }] }), { dryRun: true });
    expect(tried.status?.resources?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(sets.applicationSets.size).toBe(0);
    await expect(create(setOf('web', { elements: [{ name: 1 }] }), { dryRun: true })).rejects.toThrow(
      'unable to generate Applications of ApplicationSet: error generating applications: error parsing value as string %!w(<nil>)',
    );
  });

  it.each([
    [undefined, Code.InvalidArgument, 'error creating ApplicationSets: ApplicationSets is nil in request'],
    [
      setOf('web', { project: 'p-{{name}}' }),
      Code.InvalidArgument,
      'error validating ApplicationSets: the Argo CD API does not currently support creating ApplicationSets with templated `project` fields',
    ],
    [
      setOf('web', { generators: [{}] }),
      Code.InvalidArgument,
      'error validating ApplicationSets: ApplicationSet web contains unrecognized generators',
    ],
    [setOf('web', { project: 'nope' }), Code.InvalidArgument, 'ApplicationSet references project nope which does not exist'],
    [setOf('web', { metadata: { namespace: 'elsewhere' } }), Code.Unknown, "namespace 'elsewhere' is not permitted"],
  ])('is refused: %#', async (set, code, message) =>
    expect(service.Create({ ...(set && { applicationset: set }) }, call())).rejects.toMatchObject({ code, message }),
  );

  it('names generators that are not known as they were written', async () => {
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: { generators: [{ bogus: {} }, { list: {} }] } }),
    };
    await expect(create(setOf('web', { generators: [{}], metadata: { annotations } }))).rejects.toThrow(
      'ApplicationSet web contains unrecognized generators: bogus',
    );
  });
});

describe('who may do what with application sets', () => {
  it('is decided by project and name', async () => {
    await expect(create(setOf('web', { project: 'shop' }), {}, ['create default/web'])).rejects.toThrow(
      'permission denied: applicationsets, create, shop/web, sub: admin',
    );
    await create(setOf('web', { project: 'shop' }), {}, ['create shop/web']);
    await service.Get({ name: 'web' }, call(['get shop/web']));
    expect((await service.List({}, call(['get default/web']))).items).toEqual([]);
    await expect(service.Delete({ name: 'web' }, call(['get shop/web']))).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  it('ENUM-07: tells nobody of one that they may not see, whatever they may have themselves', async () => {
    await create(setOf('web', { project: 'shop' }));
    const ask = (name: string, permissions: readonly string[]): Promise<object> =>
      Promise.resolve(service.Get({ name }, call(permissions))).then(
        () => ({ found: true }),
        ({ code, message }: { code: Code; message: string }) => ({ code, message: message.replaceAll(name, '<name>') }),
      );
    const missing = {
      code: Code.NotFound,
      message: 'error getting ApplicationSet: applicationsets.argoproj.io "<name>" not found',
    };
    for (const [permissions, answer] of [
      [[], { code: Code.PermissionDenied, message: 'permission denied' }],
      [['get default/web', 'get default/none'], missing],
      [['create default/web', 'create default/none'], missing],
    ] as const) {
      expect(await ask('web', permissions)).toEqual(answer);
      expect(await ask('none', permissions)).toEqual(answer);
    }
  });

  it('APPSET-01: asks for every project that a generator brings, and takes none that is templated', async () => {
    const generators = [{ list: { elements: [{ name: 'a' }], template: { metadata: {}, spec: { project: 'shop', destination: {} } } } }];
    const sneaky = setOf('web', { generators });
    await expect(create(sneaky, {}, ['create default/web'])).rejects.toThrow('permission denied: applicationsets, create, shop/web');
    await expect(service.Generate({ applicationSet: sneaky }, call(['create default/web']))).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await create(sneaky, {}, ['create default/web', 'create shop/web']);
    const template = { metadata: {}, spec: { project: '{{name}}', destination: {} } };
    await expect(create(setOf('two', { generators: [{ list: { elements: [], template } }] }))).rejects.toThrow(
      'templated `project` fields',
    );
  });

  it('is asked again on a change, for both projects where it moves', async () => {
    await create(setOf('web'));
    const moved = setOf('web', { project: 'shop' });
    const upsert = (permissions: readonly string[]) => create(moved, { upsert: true }, permissions);
    await expect(upsert(['create shop/web', 'update shop/web'])).rejects.toThrow('permission denied');
    await expect(upsert(['create shop/web', 'update shop/web', 'get default/web'])).rejects.toThrow('update, default/web');
    await expect(upsert(['create shop/web', 'update default/web', 'get default/web'])).rejects.toThrow('update, shop/web');
    await upsert(['create shop/web', 'update shop/web', 'get default/web', 'update default/web']);
  });

  it('names the namespace outside that of the control plane', async () => {
    await sets.plane.home.api.create(
      { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } },
    );
    const set = setOf('web', { metadata: { namespace: 'team-a' } });
    await expect(create(set, {}, ['create default/web'])).rejects.toThrow('create, default/team-a/web');
    await create(set, {}, ['create default/team-a/web']);
    await service.Get({ name: 'web', appsetNamespace: 'team-a' }, call(['get default/team-a/web']));
    await expect(service.Get({ name: 'web' }, call())).rejects.toMatchObject({ code: Code.NotFound });
  });

  it('APPSET-08: takes no name for a namespace, so that rights on another one do not count in that of the control plane', async () => {
    const disguised = setOf('team-a/web');
    const rights = ['create default/team-a/web'];
    const refusal = { code: Code.InvalidArgument, message: `error validating ApplicationSets: the name "team-a/web" may not contain '/'` };
    await expect(service.Generate({ applicationSet: disguised }, call(rights))).rejects.toMatchObject(refusal);
    await expect(create(disguised, { dryRun: true }, rights)).rejects.toMatchObject(refusal);
    await expect(create(disguised, {}, rights)).rejects.toMatchObject(refusal);
  });
});

describe('looking at application sets', () => {
  it('that are not there', async () =>
    expect(service.Get({ name: 'nope' }, call())).rejects.toMatchObject({
      code: Code.NotFound,
      message: 'error getting ApplicationSet: applicationsets.argoproj.io "nope" not found',
    }));

  it('lists by project and label, sorted by name', async () => {
    await create(setOf('b', { project: 'shop', metadata: { labels: { x: '1' } } }));
    await create(setOf('a', { metadata: { labels: { x: '2' } } }));
    const names = async (query: object) => (await service.List(query, call())).items.map(({ metadata }) => metadata.name);
    expect(await names({})).toEqual(['a', 'b']);
    expect(await names({ projects: ['shop'] })).toEqual(['b']);
    expect(await names({ selector: 'x=2' })).toEqual(['a']);
    expect(await names({ appsetNamespace: 'argocd' })).toEqual(['a', 'b']);
    await expect(names({ appsetNamespace: 'elsewhere' })).rejects.toThrow("namespace 'elsewhere' is not permitted");
    await expect(names({ selector: 'x in' })).rejects.toThrow('error parsing the selector: ');
  });

  it('shows what they made as a tree, and what happened', async () => {
    await create(setOf('web', { elements: [{ name: 'b' }, { name: 'a' }] }));
    sets.start();
    await sets.waitFor('web', ({ status }) => status?.resourcesCount === 2);
    await sets.stop();
    const { nodes } = await service.ResourceTree({ name: 'web' }, call());
    const { uid } = (await service.Get({ name: 'web' }, call())).metadata;
    expect(nodes?.map(({ kind, name, namespace, parentRefs }) => [kind, name, namespace, parentRefs?.[0]?.uid])).toEqual([
      ['Application', 'a', 'argocd', uid],
      ['Application', 'b', 'argocd', uid],
    ]);
    const messages = await waitUntil(async () => {
      const { items } = await service.ListResourceEvents({ name: 'web' }, call());
      const said = (items as readonly { readonly reason?: string; readonly message?: string }[]).map(
        ({ reason, message }) => `${reason}: ${message}`,
      );
      return said.length >= 3 && said.sort();
    });
    expect(messages).toEqual([
      'ResourceCreated: admin created ApplicationSet',
      'created: created Application "a"',
      'created: created Application "b"',
    ]);
  });

  it('shows what they would make', async () => {
    const { applications } = await service.Generate({ applicationSet: setOf('web') }, call());
    expect(applications).toMatchObject([{ metadata: { name: 'a', namespace: '' }, spec: { project: 'default' } }]);
    const bad = setOf('web', { generators: [{ list: { elements: [{ n: 1 }] } }, { list: { elements: [{ values: 1 }] } }] });
    await expect(service.Generate({ applicationSet: bad }, call())).rejects.toThrow(
      'error generating applications: error parsing value as string %!w(<nil>)\nerror parsing value as string %!w(<nil>)\nerror parsing values map',
    );
  });
});

describe('watching application sets', () => {
  /** What a watch tells, from when it has begun. */
  function watch(query: ApplicationSetWatchQuery, permissions?: readonly string[]) {
    const leaving = new AbortController();
    const told: ApplicationSetWatchEvent[] = [];
    const events = service.Watch(query, { ...call(permissions), signal: leaving.signal });
    const reading = (async () => {
      for await (const event of events) told.push(event);
    })();
    return {
      lines: () => told.map(({ type, applicationSet }) => `${type} ${applicationSet.metadata.name}`),
      async end() {
        leaving.abort();
        await reading;
      },
    };
  }

  it('begins with the one that is named, and with none otherwise', async () => {
    await create(setOf('web'));
    const [one, all] = [watch({ name: 'web' }), watch({})];
    await waitUntil(() => one.lines().length === 1);
    await create(setOf('other'));
    await sets.patch('web', { metadata: { labels: { a: 'b' } } });
    await waitUntil(() => all.lines().length >= 2);
    expect(all.lines()).toEqual(['ADDED other', 'MODIFIED web']);
    await service.Delete({ name: 'web' }, call());
    await waitUntil(() => one.lines().includes('DELETED web'));
    expect(one.lines()).toEqual(['ADDED web', 'MODIFIED web', 'DELETED web']);
    await Promise.all([one.end(), all.end()]);
    // Who begins to watch for an end that is past is told of it.
    const late = watch({ name: 'web' });
    await waitUntil(() => late.lines().length === 1);
    expect(late.lines()).toEqual(['DELETED web']);
    await late.end();
  });

  it('begins with what has changed since the version that is known', async () => {
    await create(setOf('leaving'));
    await create(setOf('same'));
    const { metadata } = await create(setOf('known'));
    await sets.patch('known', { metadata: { labels: { a: 'b' } } });
    await create(setOf('coming'));
    await service.Delete({ name: 'leaving' }, call());
    await waitUntil(() => sets.get('leaving') === undefined && sets.get('known')?.metadata.labels?.['a'] === 'b' && sets.get('coming'));
    const everything = watch({ resourceVersion: metadata.resourceVersion ?? '' });
    await waitUntil(() => everything.lines().length >= 3);
    expect(everything.lines().toSorted()).toEqual(['ADDED coming', 'ADDED known', 'DELETED leaving']);
    await everything.end();
  });

  it('from the version of a list tells of a change that the list did not have, because the answer to a later one came first', async () => {
    const object = (name: string, resourceVersion: string) => applicationSet(name, setOf(name).spec, { resourceVersion });
    const { store, tell } = await openScriptedStore(applicationSetType, () =>
      scriptedList('100', [object('first', '90'), object('second', '91')]),
    );
    const other = createApplicationSetService({ ...sets.service, applicationSets: store });
    store.noticeWrite(object('first', '102'));
    const { metadata } = await other.List({}, call());
    const watching = other.Watch({ resourceVersion: metadata?.resourceVersion ?? '' }, call())[Symbol.asyncIterator]();
    const next = async (): Promise<object> => {
      const { type, applicationSet: set } = (await watching.next()).value as ApplicationSetWatchEvent;
      return { type, version: set.metadata.resourceVersion };
    };
    expect(await next()).toEqual({ type: 'ADDED', version: '102' });
    await tell('MODIFIED', object('second', '101'));
    expect(await next()).toEqual({ type: 'MODIFIED', version: '101' });
    await watching.return?.();
    await store.stop();
  });

  it('tells only what is asked for, is newer and may be seen', async () => {
    const first = await create(setOf('one', { metadata: { labels: { x: '1' } } }));
    const watches = [
      watch({ projects: ['shop'] }),
      watch({ selector: 'x=1' }),
      watch({ resourceVersion: '999999999' }),
      watch({ appSetNamespace: 'team-b' }),
    ];
    const everything = watch({});
    await sets.patch('one', { metadata: { annotations: { a: '1' } } });
    await create(setOf('two', { project: 'shop' }));
    await waitUntil(() => everything.lines().length === 2);
    expect(watches.map((one) => one.lines())).toEqual([['ADDED two'], ['MODIFIED one'], [], []]);
    await Promise.all([...watches, everything].map((one) => one.end()));
    expect(first.metadata.name).toBe('one');
  });
});

describe('deleting an application set', () => {
  it('answers at once, and says who did it', async () => {
    const { metadata } = await create(setOf('web'));
    expect(await service.Delete({ name: 'web' }, call())).toEqual({});
    await waitUntil(() => sets.get('web') === undefined);
    await expect(service.Delete({ name: 'web' }, call())).rejects.toMatchObject({
      code: Code.NotFound,
      message: 'error getting ApplicationSets: applicationsets.argoproj.io "web" not found',
    });
    const events = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };
    await waitUntil(async () => {
      const { items } = await sets.plane.home.api.list(events, {
        namespace: 'argocd',
        fieldSelector: `involvedObject.uid=${metadata.uid}`,
      });
      return items.some((event) => event['message'] === 'admin deleted ApplicationSets');
    });
  });
});
