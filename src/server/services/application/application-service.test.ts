import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { scriptedKubeApi } from '../../../../test/support/scripted-kube-api.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationService, ApplicationWatchEvent } from '../../../contract/index.ts';
import { applicationType, appProjectType, type Application } from '../../../model/index.ts';
import { statusError } from '../../../objects/index.ts';
import { readRenderSettings, type RenderRequest, type Sources } from '../../../sources/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

let plane: ApplicationPlane;
let repository: GitRepository;
/** Lines such as `applications get default/web`; a star stands for all. */
let allowed: readonly string[] = ['*'];
const policy = {
  isAllowed: (_caller: unknown, resource: string, action: string, object: string) =>
    allowed.includes('*') || allowed.includes(`${resource} ${action} ${object}`),
};
let service: ApplicationService<Call>;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a'), 'other/b.json': configMap('b') });
  plane = await openApplicationPlane();
  await plane.home.api.create(appProjectType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'second', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  });
  await waitUntil(() => plane.context.projects.size === 2);
  service = createApplicationService({ ...plane.service, policy }) as ApplicationService<Call>;
  await service.Create({ application: application('web') }, call());
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

const spec = (more: object = {}): Application['spec'] => ({
  project: 'default',
  source: { repoURL: repository.url, path: 'app' },
  destination,
  ...more,
});
const application = (name: string, more: object = {}, metadata: object = {}): Application => ({
  metadata: { name, ...metadata },
  spec: spec(more),
});

const serviceCall = createServiceCall('/application.ApplicationService/Get');

function call(permissions: readonly string[] = ['*'], signal = new AbortController().signal): Call {
  allowed = permissions;
  return { ...serviceCall, signal };
}

const denied = { code: 7, message: 'permission denied' };
const missing = (name: string) => ({ code: 5, message: `applications.argoproj.io "${name}" not found` });

it('RBAC-05: a name is not taken for a namespace, so that rights on another one do not count in that of the control plane', async () => {
  const disguised = service.Create({ application: application('team-a/web') }, call(['applications create default/team-a/web']));
  await expect(disguised).rejects.toMatchObject({ code: 3, message: `the name "team-a/web" of the application may not contain '/'` });
});

describe('While the home cannot be read', () => {
  const serve = (error: Error): ApplicationService<Call> => {
    const home = { ...scriptedKubeApi({ list: () => Promise.reject(error), watch: () => [] as never }), get: () => Promise.reject(error) };
    return createApplicationService({ ...plane.service, policy, home }) as ApplicationService<Call>;
  };
  /** What those are told who may see one, who may see none, and who asks for one that is not there. */
  const tell = async (error: Error): Promise<readonly unknown[]> => {
    const troubled = serve(error);
    const told = [];
    for (const permissions of [['applications get default/web'], []])
      for (const name of ['web', 'absent']) {
        const failure: unknown = await Promise.resolve(troubled.Get({ name }, call(permissions))).catch((thrown: unknown) => thrown);
        told.push({ code: (failure as ApiError).code, message: (failure as ApiError).message });
      }
    return told;
  };

  it.each([
    ['a connection that broke', new ApiError(Code.Unavailable, 'cannot reach the cluster at https://10.0.0.1')],
    ['no answer in time', new ApiError(Code.DeadlineExceeded, 'the cluster at https://10.0.0.1 did not answer')],
    ['a refusal of everything', statusError('ServiceUnavailable', 'etcd has no leader')],
    ['credentials that are not accepted any more', statusError('Unauthorized', 'Unauthorized')],
  ])('ENUM-01: %s is told to everybody, whatever they may and whatever there is', async (_, error) => {
    const unavailable = { code: Code.Unavailable, message: 'the applications cannot be read at the moment, please try again' };
    expect(await tell(error)).toEqual([unavailable, unavailable, unavailable, unavailable]);
  });

  it.each([
    ['a server that cannot decode it', statusError('InternalError', 'cannot decode "web"')],
    ['a server that keeps it from us', statusError('Forbidden', 'applications "web" is forbidden')],
    ['an answer that we cannot read', new TypeError('not an application')],
  ])('ENUM-01: %s is told to nobody', async (_, error) => {
    expect(await tell(error)).toEqual([denied, denied, denied, denied]);
  });
});

describe('Who asks for an application', () => {
  it.each([
    ['there is none', 'nope', [], ['*'], denied],
    ['there is none in a project of theirs', 'nope', ['default'], ['applications get default/nope'], missing('nope')],
    ['there is none in a project that is not theirs', 'nope', ['second'], ['applications get default/nope'], denied],
    ['they may not see it', 'web', [], ['applications get default/other'], denied],
    ['they may not see it, and named its project', 'web', ['default'], [], denied],
    ['it is in another project', 'web', ['second'], ['applications get default/web', 'applications get second/web'], missing('web')],
    ['it is in a project that is not theirs', 'web', ['second'], ['applications get second/web'], missing('web')],
    [
      'they name two projects',
      'web',
      ['second', 'default'],
      ['*'],
      { code: 3, message: expect.stringContaining('either zero or one project') as string },
    ],
  ])('is refused where %s', async (_why, name, projects, permissions, refusal) => {
    await expect(service.Get({ name, projects }, call(permissions))).rejects.toMatchObject(refusal);
  });

  it('gets it where they may see it, with and without its project', async () => {
    for (const projects of [[], ['default']])
      expect(await service.Get({ name: 'web', projects }, call(['applications get default/web']))).toMatchObject({
        metadata: { name: 'web' },
      });
  });

  it('in a namespace that is not looked after learns nothing', async () => {
    await expect(service.Get({ name: 'web', appNamespace: 'kube-system' }, call())).rejects.toMatchObject(denied);
  });
});

describe('A list', () => {
  it('holds what is meant and what may be seen, by name', async () => {
    await service.Create({ application: application('beta', { project: 'second' }, { labels: { team: 'b' } }) }, call());
    await service.Create(
      { application: application('alpha', { source: { repoURL: `${repository.url}/`, path: 'other' } }), validate: false },
      call(),
    );
    const names = async (query: object, permissions?: readonly string[]): Promise<string[]> =>
      (await service.List(query, call(permissions))).items.map(({ metadata }) => metadata.name ?? '');
    expect(await names({})).toEqual(['alpha', 'beta', 'web']);
    expect(await names({ projects: ['second'] })).toEqual(['beta']);
    expect(await names({ project: ['default'], projects: ['second'] })).toEqual(['alpha', 'web']);
    expect(await names({ selector: 'team in (a,b)' })).toEqual(['beta']);
    expect(await names({ repo: repository.url })).toEqual(['beta', 'web']);
    expect(await names({ name: 'web', appNamespace: 'argocd' })).toEqual(['web']);
    expect(await names({ appNamespace: 'elsewhere' })).toEqual([]);
    expect(await names({}, ['applications get second/beta'])).toEqual(['beta']);
    await expect(service.List({ selector: '!!' }, call())).rejects.toMatchObject({ code: 3 });
  });
});

describe('A watch', () => {
  async function collect(query: object, count: number, permissions?: readonly string[]): Promise<ApplicationWatchEvent[]> {
    const leaving = new AbortController();
    const events: ApplicationWatchEvent[] = [];
    for await (const event of service.Watch(query, call(permissions, leaving.signal))) {
      events.push(event);
      if (events.length === count) break;
    }
    return events;
  }
  const told = (events: readonly ApplicationWatchEvent[]): string[] =>
    events.map(({ type, application: one }) => `${type} ${one.metadata.name}`);

  it('begins with what there is, and goes on with what happens to what is meant', async () => {
    const watching = collect({ projects: ['second'] }, 3);
    await service.Create({ application: application('unseen') }, call());
    await service.Patch({ name: 'beta', patchType: 'merge', patch: '{"metadata":{"labels":{"team":"c"}}}' }, call());
    await service.Delete({ name: 'beta', cascade: false }, call());
    expect(told(await watching)).toEqual(['ADDED beta', 'MODIFIED beta', 'DELETED beta']);
  });

  it('from a version on says nothing of what is older', async () => {
    const { resourceVersion } = (await service.List({}, call())).metadata;
    const watching = collect({ resourceVersion: String(resourceVersion) }, 1);
    await service.Create({ application: application('newer') }, call());
    expect(told(await watching)).toEqual(['ADDED newer']);
  });

  it('from a version on begins with what happened between that and the watch', async () => {
    await service.Create({ application: application('leaving') }, call());
    const { resourceVersion } = (await service.List({}, call())).metadata;
    await service.Create({ application: application('coming') }, call());
    await service.Patch({ name: 'web', patchType: 'merge', patch: '{"metadata":{"labels":{"seen":"late"}}}' }, call());
    await service.Delete({ name: 'leaving', cascade: false }, call());
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'leaving' }) === undefined);
    const events = told(await collect({ resourceVersion: String(resourceVersion) }, 3));
    expect(events[0]).toBe('DELETED leaving');
    expect(events.slice(1).sort()).toEqual(['ADDED coming', 'ADDED web']);
    await service.Delete({ name: 'coming', cascade: false }, call());
  });

  it('for one that was deleted a moment ago says so, as clients delete first and watch then', async () => {
    await service.Delete({ name: 'newer', cascade: false }, call());
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'newer' }) === undefined);
    expect(told(await collect({ name: 'newer' }, 1))).toEqual(['DELETED newer']);
  });

  it('is cut off where its client does not keep up, and told to begin anew', { timeout: 90_000 }, async () => {
    const iterator = service.Watch({ resourceVersion: '1' }, call())[Symbol.asyncIterator]();
    const first = iterator.next();
    const ref = { namespace: 'argocd', name: 'web' };
    for (let count = 0; count < 1_010; count++)
      await plane.home.embedded.patch(applicationType, ref, {
        type: 'merge',
        body: { metadata: { annotations: { count: String(count) } } },
      });
    await waitUntil(() => plane.applications.get(ref)?.metadata.annotations?.['count'] === '1009');
    await first;
    const rest = (async () => {
      for (;;) if ((await iterator.next()).done === true) return;
    })();
    await expect(rest).rejects.toMatchObject({ code: 10, message: expect.stringContaining('start the watch again') as string });
  });
});

describe('A create', () => {
  it('of what exists gives that where it means the same, and refuses or replaces it where not', { timeout: 60_000 }, async () => {
    const existing = await service.Create({ application: application('alike') }, call());
    expect((await service.Create({ application: application('alike') }, call())).metadata.uid).toBe(existing.metadata.uid);
    const other = application('same', { source: { repoURL: repository.url, path: 'other' } }, { labels: { b: '2' } });
    await service.Create({ application: application('same', {}, { labels: { a: '1' } }) }, call());
    await expect(service.Create({ application: other }, call())).rejects.toMatchObject({
      code: 3,
      message: 'existing application spec is different, use upsert flag to force update',
    });
    const permissions = ['applications create default/same'];
    await expect(service.Create({ application: other, upsert: true }, call(permissions))).rejects.toMatchObject({
      code: 7,
      message: 'permission denied: applications, update, default/same, sub: admin, iat: 1970-01-01T00:00:00Z',
    });
    const replaced = await service.Create({ application: other, upsert: true }, call());
    expect(replaced).toMatchObject({ metadata: { labels: { a: '1', b: '2' } }, spec: { source: { path: 'other' } } });
  });

  it('is rendered as the controller renders it, and without the cluster where that does not answer', async () => {
    const requests: RenderRequest[] = [];
    const sources: Sources = {
      ...plane.service.sources,
      render(request) {
        requests.push(request);
        return plane.service.sources.render(request);
      },
    };
    const create = (name: string, more: object = {}) =>
      (createApplicationService({ ...plane.service, sources, ...more }) as ApplicationService<Call>).Create(
        { application: application(name) },
        call(),
      );
    await create('like-the-controller');
    const settings = readRenderSettings(plane.settings.current);
    expect(settings.helmValuesFileSchemes).toEqual(['https', 'http']);
    expect(requests[0]).toMatchObject({ settings, kubeVersion: expect.stringMatching(/^1\.\d/) as string });
    expect(requests[0]?.apiVersions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'apps/v1/Deployment']));
    const cluster = plane.service.clusters.resolve(destination);
    const whenSynced = () => Promise.reject(new ApiError(Code.Unavailable, 'no answer'));
    const cache = { serverVersion: '', resources: [], troubles: () => [], whenSynced };
    const { server, name, registration } = cluster;
    await create('without-a-cluster', { clusters: { resolve: () => ({ server, name, registration, cache }) } });
    expect(requests[1]).toMatchObject({ settings, kubeVersion: '', apiVersions: [] });
  });

  it('renders all sources but those that only lend their files', async () => {
    const rendered: string[] = [];
    const sources: Partial<Sources> = {
      resolve: () => Promise.resolve({ revision: '1.0.0' }),
      render({ source, revision }) {
        rendered.push(source.repoURL);
        return Promise.resolve({ revision, sourceType: '', objects: [], commands: [] });
      },
    };
    const several = [
      { repoURL: repository.url, path: 'app', ref: 'both' },
      { repoURL: 'https://example.com/values', ref: 'values' },
      { repoURL: 'https://charts.example.com', chart: 'shop', targetRevision: '1.0.0', ref: 'chart' },
      { repoURL: 'oci://example.com/shop', targetRevision: '1.0.0', ref: 'artifact' },
    ];
    const lending = createApplicationService({ ...plane.service, sources: sources as Sources }) as ApplicationService<Call>;
    await lending.Create({ application: application('lending', { source: undefined, sources: several }) }, call());
    expect(rendered).toEqual([repository.url, 'https://charts.example.com', 'oci://example.com/shop']);
  });

  it('keeps no status and no operation that nobody checked, and names the project that is meant', async () => {
    const sent = { ...application('plain', { project: '' }), status: { sync: { status: 'Synced' } }, operation: { sync: {} } };
    const made = await service.Create({ application: sent }, call());
    expect(made.spec.project).toBe('default');
    expect([made.status, made.operation]).toEqual([undefined, undefined]);
  });

  it.each([
    ['in a namespace that is not looked after', {}, { namespace: 'kube-system' }],
    ['to a cluster named twice', { destination: { ...destination, name: 'in-cluster' } }, {}],
    ['without a source', { source: undefined }, {}],
    ['with an address that is none', {}, { annotations: { 'argocd.argoproj.io/managed-by-url': 'ftp://x' } }],
  ])('is refused %s', async (_what, more, metadata) => {
    await expect(service.Create({ application: application('x', more, metadata) }, call())).rejects.toMatchObject({ code: 3 });
  });
});

describe('A change', () => {
  it('of the spec keeps the rest, and a move to another project needs both', async () => {
    const moved = spec({ project: 'second' });
    const permissions = ['applications update default/web', 'applications create second/web'];
    await expect(service.UpdateSpec({ name: 'web', spec: moved }, call(permissions.slice(0, 1)))).rejects.toMatchObject({ code: 7 });
    expect(await service.UpdateSpec({ name: 'web', spec: moved }, call(permissions))).toMatchObject({ project: 'second' });
    await service.UpdateSpec({ name: 'web', spec: spec() }, call());
  });

  it('by a patch lands in spec, labels, annotations and finalizers only', async () => {
    const patch = JSON.stringify([
      { op: 'replace', path: '/spec/source/path', value: 'other' },
      { op: 'add', path: '/status', value: { sync: { status: 'Synced' } } },
    ]);
    const patched = await service.Patch({ name: 'web', patch, patchType: '' }, call());
    expect(patched.spec.source?.path).toBe('other');
    expect(patched.status?.sync).toBeUndefined();
    await expect(service.Patch({ name: 'web', patch, patchType: 'x' }, call())).rejects.toMatchObject({
      code: 3,
      message: "Patch type 'x' is not supported",
    });
    await expect(service.Patch({ name: 'web', patch: '{', patchType: 'merge' }, call())).rejects.toMatchObject({ code: 3 });
  });

  it('replaces labels and annotations whole', async () => {
    await service.Update({ application: application('web', {}, { labels: { a: '1' }, annotations: { b: '2' } }) }, call());
    const updated = await service.Update({ application: application('web', {}, { labels: { c: '3' } }) }, call());
    expect(updated.metadata.labels).toEqual({ c: '3' });
    expect(updated.metadata.annotations).toBeUndefined();
  });
});

describe('A sync', () => {
  it('writes down what is to be done, to the commit that is meant, once', async () => {
    const commit = await repository.git('rev-parse', 'HEAD');
    const synced = await service.Sync({ name: 'web', prune: true }, call());
    expect(synced.operation).toMatchObject({
      sync: { revision: commit, prune: true, source: { path: 'app' } },
      initiatedBy: { username: 'admin' },
    });
    await expect(service.Sync({ name: 'web' }, call())).rejects.toMatchObject({
      code: 9,
      message: 'another operation is already in progress',
    });
  });

  it.each([
    ['to another revision than automation has', { revision: 'other' }, 'Cannot sync to other: auto-sync currently set to HEAD'],
    [
      'of local manifests beside automation',
      { manifests: ['{}'] },
      'cannot use local sync when Automatic Sync Policy is enabled unless for dry run',
    ],
  ])('is refused %s', async (_what, more, message) => {
    await service.Create({ application: application('auto', { syncPolicy: { automated: {} } }), upsert: true }, call());
    await expect(service.Sync({ name: 'auto', ...more }, call())).rejects.toMatchObject({ code: 9, message });
    await expect(service.Rollback({ name: 'auto', id: 0 }, call())).rejects.toMatchObject({
      code: 9,
      message: 'rollback cannot be initiated when auto-sync is enabled',
    });
  });

  it('goes back to several sources also where an empty one is told beside them', async () => {
    await plane.home.api.create(appProjectType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'narrow', namespace: 'argocd' },
      spec: { sourceRepos: [repository.url], destinations: [{ server: '*', namespace: '*' }] },
    });
    await waitUntil(() => plane.context.projects.get({ namespace: 'argocd', name: 'narrow' }) !== undefined);
    await service.Create({ application: application('deployed', { project: 'narrow' }) }, call());
    const source = { repoURL: repository.url, path: 'app' };
    const sources = [source, { repoURL: repository.url, ref: 'values' }];
    const deployedAt = '2026-01-01T00:00:00Z';
    const history = [
      { id: 0, deployedAt, source: { repoURL: '' }, sources, revision: '', revisions: ['a', 'b'] },
      { id: 1, deployedAt, source, revision: 'c', sources: [], revisions: [] },
      { id: 2, deployedAt, source: { repoURL: '' }, revision: 'd' },
      { id: 3, deployedAt, source, sources: [{ repoURL: 'https://elsewhere.example/x', path: '.' }], revisions: ['e'] },
    ];
    const ref = { namespace: 'argocd', name: 'deployed' };
    const roll = async (id: number) => {
      const body = { operation: null, status: { history, operationState: null } };
      await plane.home.api.patch(applicationType, ref, { type: 'merge', body });
      await waitUntil(() => plane.get('deployed').status?.history?.length === 4 && !plane.get('deployed').operation);
      return service.Rollback({ name: 'deployed', id }, call());
    };
    const strategy = { syncStrategy: { apply: {} } };
    expect((await roll(0)).operation?.sync).toEqual({ sources, revisions: ['a', 'b'], ...strategy });
    expect((await roll(1)).operation?.sync).toEqual({ source, revision: 'c', ...strategy });
    await expect(roll(2)).rejects.toMatchObject({ code: 9, message: expect.stringMatching(/^cannot rollback to revision/) as string });
    await expect(roll(3)).rejects.toMatchObject({
      code: 7,
      message: "application repo https://elsewhere.example/x is not permitted in project 'narrow'",
    });
  });

  it('needs the permission to', async () => {
    await expect(service.Sync({ name: 'web' }, call(['applications get default/web']))).rejects.toMatchObject({
      code: 7,
      message: expect.stringMatching(/^permission denied: applications, sync, default\/web/) as string,
    });
  });

  it('can be ended only while it runs', async () => {
    const message = 'Unable to terminate operation. No operation is in progress';
    await expect(service.TerminateOperation({ name: 'auto' }, call())).rejects.toMatchObject({ code: 3, message });
  });
});

describe('A delete', () => {
  it.each([
    [{}, ['resources-finalizer.argocd.argoproj.io']],
    [{ propagationPolicy: 'Background' }, ['resources-finalizer.argocd.argoproj.io/background']],
    [{ propagationPolicy: 'foreground' }, ['resources-finalizer.argocd.argoproj.io/foreground']],
  ])('with %j leaves it to the one who cleans up', async (more, finalizers) => {
    const name = `gone${Object.values(more).join('').toLowerCase()}`;
    await service.Create({ application: application(name) }, call());
    expect(await service.Delete({ name, ...more }, call())).toEqual({});
    const { metadata } = await plane.home.embedded.get(applicationType, { namespace: 'argocd', name });
    expect(metadata.finalizers).toEqual(finalizers);
    expect(metadata.deletionTimestamp).toBeDefined();
  });

  it.each([{ cascade: false }, { propagationPolicy: 'Orphan' }])('with %j leaves nothing to clean up', async (more) => {
    const finalizers = ['resources-finalizer.argocd.argoproj.io'];
    await service.Create({ application: application('orphans', {}, { finalizers }) }, call());
    expect(await service.Delete({ name: 'orphans', ...more }, call())).toEqual({});
    await expect(plane.home.embedded.get(applicationType, { namespace: 'argocd', name: 'orphans' })).rejects.toMatchObject({
      reason: 'NotFound',
    });
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'orphans' }) === undefined);
  });

  it.each([
    [{ cascade: false, propagationPolicy: 'foreground' }, 'cannot set propagation policy when cascading is disabled'],
    [{ propagationPolicy: 'sideways' }, 'invalid propagation policy: sideways'],
  ])('is refused with %j', async (more, message) => {
    await expect(service.Delete({ name: 'web', ...more }, call())).rejects.toMatchObject({ code: 3, message });
  });
});
