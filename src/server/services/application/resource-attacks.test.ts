import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { ApplicationService } from '../../../contract/index.ts';
import { applicationType, appProjectType } from '../../../model/index.ts';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

const SERVER = 'https://kubernetes.default.svc';
const NAMESPACE = 'team';
const call = (): Call => createServiceCall('/application.ApplicationService/Get');

let plane: ApplicationPlane;
let repository: GitRepository;
let service: ApplicationService<Call>;

beforeAll(async () => {
  const own = (kind: string, name: string, more: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'argocd' },
    ...more,
  });
  const takeover = [
    own('ConfigMap', 'argocd-rbac-cm', { data: { 'policy.default': 'role:admin' } }),
    own('Secret', 'argocd-secret', { stringData: { 'admin.password': 'mine' } }),
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: 'argocd' },
      spec: { sourceRepos: ['*'] },
    },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'applications.argoproj.io' },
      spec: { group: 'argoproj.io' },
    },
  ];
  repository = await createGitRepository({
    'app/a.json': configMap('a'),
    ...Object.fromEntries(takeover.map((object, index) => [`takeover-${index}/x.json`, JSON.stringify(object)])),
  });
  plane = await openApplicationPlane();
  service = createApplicationService(plane.service) as ApplicationService<Call>;
  await plane.home.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'tenant', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: SERVER, namespace: NAMESPACE }] },
  };
  await plane.home.api.create(appProjectType, project as unknown as KubeObject);
  await waitUntil(() => plane.context.projects.get({ namespace: 'argocd', name: 'tenant' }) !== undefined);
  plane.startController();
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

async function deploy(name: string, path: string): Promise<string> {
  const source = { repoURL: repository.url, path };
  await plane.create(name, { project: 'tenant', source, destination: { server: SERVER, namespace: NAMESPACE } });
  await plane.waitFor(name, ({ status }) => status?.sync?.status !== undefined);
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body: { operation: { sync: {} } } });
  const { status } = await plane.waitFor(
    name,
    (one) => one.status?.operationState?.finishedAt !== undefined && one.operation === undefined,
  );
  const results = status?.operationState?.syncResult?.resources ?? [];
  return [status?.operationState?.phase, ...results.map(({ message }) => message)].join('\n');
}

describe('A tenant', () => {
  it('K8S-04 cannot take over the control plane through an application', { timeout: 60_000 }, async () => {
    const before = async (): Promise<string> =>
      JSON.stringify([
        await plane.home.api.get(kinds.configMap, { namespace: 'argocd', name: 'argocd-rbac-cm' }),
        await plane.home.api.get(kinds.secret, { namespace: 'argocd', name: 'argocd-secret' }),
        await plane.home.api.get(appProjectType, { namespace: 'argocd', name: 'default' }),
      ]);
    const untouched = await before();
    const refusals = await Promise.all([0, 1, 2, 3].map((index) => deploy(`takeover-${index}`, `takeover-${index}`)));
    for (const refusal of refusals.slice(0, 3)) expect(refusal).toMatch(/^Failed\n.*namespace argocd is not permitted in project 'tenant'/);
    expect(refusals[3]).toMatch(/^Failed\n.*resource apiextensions\.k8s\.io:CustomResourceDefinition is not permitted in project tenant/);
    expect(await before()).toBe(untouched);
  });

  it('K8S-04 is warned of where its project lets it change the control plane', { timeout: 60_000 }, async () => {
    const project = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'lenient', namespace: 'argocd' },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: SERVER, namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
    };
    await plane.home.api.create(appProjectType, project as unknown as KubeObject);
    const warningOf = async (name: string, path: string, projectName: string): Promise<string | undefined> => {
      const source = { repoURL: repository.url, path };
      await plane.create(name, { project: projectName, source, destination: { server: SERVER, namespace: NAMESPACE } });
      const { status } = await plane.waitFor(name, (one) => one.status?.sync?.revision !== undefined);
      return status?.conditions?.find(({ type }) => type === 'ControlPlaneWarning')?.message;
    };
    const said = 'Project lenient lets this application change the control plane itself:';
    expect(await warningOf('lenient-0', 'takeover-0', 'lenient')).toBe(`${said} ConfigMap argocd-rbac-cm`);
    expect(await warningOf('lenient-1', 'takeover-1', 'lenient')).toBe(`${said} Secret argocd-secret`);
    expect(await warningOf('lenient-2', 'takeover-2', 'lenient')).toBe(`${said} AppProject default`);
    expect(await warningOf('lenient-3', 'takeover-3', 'lenient')).toBe(`${said} CustomResourceDefinition applications.argoproj.io`);
    expect(await warningOf('lenient-4', 'app', 'lenient')).toBeUndefined();
    expect(await warningOf('lenient-5', 'takeover-0', 'default')).toBeUndefined();
  });

  it('K8S-05 cannot make one object another with a patch', { timeout: 60_000 }, async () => {
    expect(await deploy('patched', 'app')).toMatch(/^Succeeded/);
    const ref = { namespace: NAMESPACE, name: 'a' };
    const { uid } = (await plane.home.api.get(kinds.configMap, ref)).metadata;
    const resource = { resourceName: 'a', namespace: NAMESPACE, version: 'v1', kind: 'ConfigMap' };
    const patch = (body: unknown, patchType = 'application/merge-patch+json'): Promise<unknown> =>
      Promise.resolve(service.PatchResource({ name: 'patched', ...resource, patch: JSON.stringify(body), patchType }, call())).catch(
        (error: unknown) => error,
      );
    const attempts = [
      { kind: 'Secret' },
      { apiVersion: 'v2' },
      { metadata: { name: 'other' } },
      { metadata: { namespace: 'argocd' } },
      { metadata: { uid: '00000000-0000-0000-0000-000000000000' } },
    ];
    for (const body of attempts) expect(await patch(body), JSON.stringify(body)).toBeInstanceOf(Error);
    await patch([{ op: 'replace', path: '/metadata/name', value: 'other' }], 'application/json-patch+json');
    for (const [where, name] of [
      ['argocd', 'a'],
      [NAMESPACE, 'other'],
    ] as const)
      await expect(plane.home.api.get(kinds.configMap, { namespace: where, name })).rejects.toMatchObject({
        status: { reason: 'NotFound' },
      });
    expect((await plane.home.api.get(kinds.configMap, ref)).metadata.uid).toBe(uid);
  });
});
