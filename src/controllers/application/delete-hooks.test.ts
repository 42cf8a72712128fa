import { afterEach, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import { kinds } from '../../../test/support/kinds.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { ResourceType } from '../../kube/index.ts';
import { applicationType, type Application } from '../../model/index.ts';

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

it('Hooks on deletion that are not marked are found, and stay', { timeout: 60_000 }, async () => {
  const gone = { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.corp.example', annotations: { 'argocd.argoproj.io/hook': 'PreDelete', ...gone } },
    spec: {
      group: 'corp.example',
      names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const annotations = { 'argocd.argoproj.io/hook': 'PostDelete', ...gone };
  const left = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', namespace: 'default', annotations } };
  repository = await createGitRepository({
    'app/definition.json': JSON.stringify(definition),
    'app/left.json': JSON.stringify(left),
    'app/a.json': configMap('a'),
  });
  plane = await openApplicationPlane();
  const labels = { 'app.kubernetes.io/instance': 'web' };
  await plane.home.api.create(kinds.configMap, { ...left, metadata: { ...left.metadata, labels } });
  plane.startController();
  const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
  const spec = { project: 'default', source, destination, syncPolicy: { automated: {} } };
  await plane.create('web', spec, { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
  await plane.waitFor('web', ({ status, operation }) => status?.sync?.status === 'Synced' && !operation);
  await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'web' });
  await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined);
  expect(await plane.home.embedded.get(definitions, { name: 'gadgets.corp.example' })).toBeDefined();
  expect(await plane.home.embedded.get(kinds.configMap, { namespace: 'default', name: 'left' })).toBeDefined();
});

it('A hook on deletion whose name is taken by what is no hook is not taken to have run', { timeout: 60_000 }, async () => {
  const backup = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'backup', namespace: 'default' } };
  const hook = { ...backup, metadata: { ...backup.metadata, annotations: { 'argocd.argoproj.io/hook': 'PreDelete' } } };
  repository = await createGitRepository({ 'app/backup.json': JSON.stringify(hook), 'app/a.json': configMap('a') });
  plane = await openApplicationPlane();
  await plane.home.api.create(kinds.configMap, backup);
  plane.startController();
  const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
  await plane.create('web', { project: 'default', source, destination, syncPolicy: { automated: {} } });
  await plane.waitFor('web', ({ status, operation }) => status?.sync?.status === 'Synced' && !operation);
  await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'web' });
  const held = await plane.waitFor('web', (application) => failureOf(application) !== undefined);
  expect(failureOf(held)).toBe('PreDelete hook ConfigMap default/backup: the object exists, and is not of this application');
  expect(await plane.home.embedded.get(kinds.configMap, { namespace: 'default', name: 'backup' })).toBeDefined();
});

function failureOf({ status }: Application): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'DeletionError')?.message;
}
