import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { deployment } from '../../../../test/support/argocd-stage.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { ApplicationService } from '../../../contract/index.ts';
import { appProjectType } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

const configMapType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const deploymentType = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };

const customActions = `
discovery.lua: return {}
definitions:
- name: elsewhere
  action.lua: |
    local map = {apiVersion = "v1", kind = "ConfigMap", metadata = {name = "found", namespace = "kube-system"}}
    return {{operation = "patch", resource = obj}, {operation = "create", resource = map}}
- name: role
  action.lua: |
    local role = {apiVersion = "rbac.authorization.k8s.io/v1", kind = "ClusterRole", metadata = {name = "all", namespace = "default"}}
    return {{operation = "create", resource = role}}
- name: two
  action.lua: |
    local map = function(name, data) return {apiVersion = "v1", kind = "ConfigMap", metadata = {name = name}, data = data} end
    return {{operation = "create", resource = map("good", nil)}, {operation = "create", resource = map("b@d", nil)}}
- name: kind
  action.lua: obj.kind = "Secret" return obj
- name: uid
  action.lua: obj.metadata.uid = "another" return obj
- name: namespace
  action.lua: obj.metadata.namespace = "kube-system" return obj
- name: unknown
  action.lua: |
    return {{operation = "create", resource = {apiVersion = "nobody.example/v1", kind = "Nothing", metadata = {name = "x"}}}}
- name: status
  action.lua: |
    obj.data.key = "changed" obj.status = {seen = true} return obj
- name: none
  action.lua: return {}
`;

const secretActions = `
discovery.lua: return {}
definitions:
- name: spoil
  action.lua: obj.data.token = "canary-4711!" return obj
- name: copy
  action.lua: |
    return {{operation = "create", resource = {apiVersion = "v1", kind = "Secret", metadata = {name = "copy"}, data = {token = "canary-4711!"}}}}
`;
const secret = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden' }, stringData: { token: 'canary' } });

let plane: ApplicationPlane;
let repository: GitRepository;
/** Lines such as `action/apps/Deployment/restart default/web`; a star stands for all. */
let allowed: readonly string[] = ['*'];
let service: ApplicationService<Call>;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a'), 'app/web.json': deployment('web'), 'app/secret.json': secret });
  plane = await openApplicationPlane({
    settings: { 'resource.customizations.actions.ConfigMap': customActions, 'resource.customizations.actions.Secret': secretActions },
  });
  await plane.home.api.create(appProjectType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'narrow', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: 'default' }] },
  } as KubeObject);
  await waitUntil(() => plane.context.projects.size === 2);
  const policy = {
    isAllowed: (_who: unknown, _what: string, action: string, object: string) =>
      allowed.some((one) => one === '*' || one === `${action} ${object}`),
  };
  service = createApplicationService({ ...plane.service, policy }) as ApplicationService<Call>;
  plane.startController();
  await plane.create('web', { project: 'narrow', source: { repoURL: repository.url, path: 'app' }, destination });
  await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) !== undefined);
  await service.Sync({ name: 'web' }, call());
  await plane.waitFor('web', ({ status }) => status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded');
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

beforeEach(() => {
  allowed = ['*'];
});

const call = (): Call => createServiceCall('/application.ApplicationService/RunResourceActionV2');
const map = { name: 'web', resourceName: 'a', namespace: 'default', group: '', kind: 'ConfigMap', version: 'v1' };
const web = { name: 'web', resourceName: 'web', namespace: 'default', group: 'apps', kind: 'Deployment', version: 'v1' };
const run = (request: object) => Promise.resolve(service.RunResourceActionV2(request as never, call()));
const read = (name: string, namespace = 'default') => plane.home.api.get(configMapType, { namespace, name });

describe('An action', () => {
  it('takes parameters, in its second form', async () => {
    const parameters = [{ name: 'replicas', value: '3' }];
    expect(await run({ ...web, action: 'scale', resourceActionParameters: parameters })).toEqual({});
    expect(await plane.home.api.get(deploymentType, { namespace: 'default', name: 'web' })).toMatchObject({ spec: { replicas: 3 } });
  });

  it('runs in its first form, without them', async () => {
    expect(await service.RunResourceAction({ ...web, action: 'pause' }, call())).toEqual({});
    expect(await plane.home.api.get(deploymentType, { namespace: 'default', name: 'web' })).toMatchObject({ spec: { paused: true } });
    await expect(service.RunResourceAction({ ...web, action: 'scale' }, call())).rejects.toMatchObject({
      code: 3,
      message: 'invalid number: ',
    });
  });

  it('is listed with what it needs and whether it makes sense', async () => {
    const { actions = [] } = await service.ListResourceActions(web, call());
    expect(actions.map(({ name, disabled = false }) => [name, disabled])).toEqual([
      ['pause', true],
      ['restart', false],
      ['resume', false],
      ['scale', false],
    ]);
    expect(actions.at(-1)).toMatchObject({ params: [{ name: 'replicas' }] });
  });

  it('that wants nothing to be done does nothing', async () => {
    expect(await run({ ...map, action: 'none' })).toEqual({});
  });

  it('RBAC-07: needs the right to that very action, and a list the right to look', async () => {
    allowed = ['action/apps/Deployment/restart narrow/web'];
    expect(await run({ ...web, action: 'restart' })).toEqual({});
    const denied = { code: 7, message: 'permission denied' };
    await expect(run({ ...web, action: 'pause' })).rejects.toMatchObject(denied);
    await expect(run({ ...map, action: 'none' })).rejects.toMatchObject(denied);
    await expect(service.ListResourceActions(web, call())).rejects.toMatchObject(denied);
    allowed = ['get narrow/web'];
    await expect(service.ListResourceActions(web, call())).resolves.toBeDefined();
    await expect(run({ ...web, action: 'restart' })).rejects.toMatchObject(denied);
  });

  it('RBAC-07: that there is not is refused', async () => {
    const message = 'error getting Lua resource action: built-in script does not exist';
    await expect(run({ ...web, action: 'explode' })).rejects.toMatchObject({ code: 3, message });
    await expect(run({ ...web, action: '../../secrets' })).rejects.toMatchObject({ code: 3, message });
  });

  it('RBAC-18: reaches nothing that is not part of the application', async () => {
    const other = { ...map, namespace: 'argocd', resourceName: 'argocd-cm' };
    const refusal = { code: 3, message: 'ConfigMap  argocd-cm not found as part of application web' };
    await expect(run({ ...other, action: 'none' })).rejects.toMatchObject(refusal);
    await expect(service.ListResourceActions(other, call())).rejects.toMatchObject(refusal);
  });

  it('makes nothing where the project does not let the application have it, and does nothing else either', async () => {
    const before = await read('a');
    const message = 'application is not permitted to manage /ConfigMap/found in kube-system';
    await expect(run({ ...map, action: 'elsewhere' })).rejects.toMatchObject({ code: 7, message });
    expect((await read('a')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await expect(read('found', 'kube-system')).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('is not helped by a namespace on what has none', async () => {
    const message = 'application is not permitted to manage rbac.authorization.k8s.io/ClusterRole/all in ';
    await expect(run({ ...map, action: 'role' })).rejects.toMatchObject({ code: 7, message });
  });

  it('makes nothing where one of several things would be refused', async () => {
    await expect(run({ ...map, action: 'two' })).rejects.toMatchObject({ code: 3, message: expect.stringContaining('b@d') });
    await expect(read('good')).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it.each(['kind', 'uid', 'namespace'])('K8S-05: cannot change the %s of a resource', async (action) => {
    const message = 'an action can patch only the resource that it is run on';
    await expect(run({ ...map, action })).rejects.toMatchObject({ code: 3, message });
  });

  it('SECR-10: tells nothing of a Secret when it is refused', async () => {
    const hidden = { ...map, kind: 'Secret', resourceName: 'hidden' };
    await expect(run({ ...hidden, action: 'spoil' })).rejects.toMatchObject({ message: 'failed to patch Secret default/hidden' });
    await expect(run({ ...hidden, action: 'copy' })).rejects.toMatchObject({ message: 'failed to create Secret default/copy' });
  });

  it('cannot make what the cluster does not know', async () => {
    await expect(run({ ...map, action: 'unknown' })).rejects.toMatchObject({
      code: 3,
      message: 'the cluster does not serve Nothing of group "nobody.example"',
    });
  });

  it('that changes a status changes the rest too where the kind has none', async () => {
    expect(await run({ ...map, action: 'status' })).toEqual({});
    expect(await read('a')).toMatchObject({ data: { key: 'changed' } });
  });

  it('on the application itself obeys the project as well', async () => {
    const self = { name: 'web', resourceName: 'web', namespace: 'argocd', group: 'argoproj.io', kind: 'Application', version: 'v1alpha1' };
    expect((await service.ListResourceActions(self, call())).actions).toEqual([
      { name: 'toggle-auto-sync', displayName: 'Enable Auto-Sync' },
    ]);
    await expect(run({ ...self, action: 'toggle-auto-sync' })).rejects.toMatchObject({
      code: 7,
      message: 'application is not permitted to manage argoproj.io/Application/web in argocd',
    });
  });
});
