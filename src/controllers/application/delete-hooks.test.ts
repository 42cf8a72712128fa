import { afterEach, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import { kinds } from '../../../test/support/kinds.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { ResourceType } from '../../kube/index.ts';
import { applicationType } from '../../model/index.ts';

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
