import { afterEach, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { applicationType, appProjectType } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';

let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

async function conditionsWith(project: object, manifests: readonly string[]): Promise<unknown> {
  repository = await createGitRepository({ 'app/a.json': configMap('a') });
  plane = await openApplicationPlane();
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'strict', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...project },
  };
  await plane.home.api.create(appProjectType, object as unknown as KubeObject);
  await waitUntil(() => plane.context.projects.get({ namespace: 'argocd', name: 'strict' }) !== undefined);
  await plane.create('shop', { project: 'strict', source: { repoURL: repository.url, path: 'app' }, destination });
  const body = { operation: { sync: { manifests: [...manifests] } } };
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'shop' }, { type: 'merge', body });
  await waitUntil(() => plane.get('shop').operation !== undefined);
  plane.startController();
  const { status } = await plane.waitFor('shop', ({ operation, status: now }) => !operation && (now?.conditions ?? []).length > 0);
  return status?.conditions?.map(({ type, message }) => `${type}: ${message}`);
}

it('What somebody brings is refused in words of its own where sources have to be signed', async () => {
  expect(await conditionsWith({ signatureKeys: [{ keyID: 'D56C4FCA57A46444' }] }, [configMap('brought')])).toEqual([
    'ComparisonError: Cannot use local manifests when source integrity is enforced',
  ]);
});

it('What somebody brings and nobody can read is said to be what they brought', async () => {
  expect(await conditionsWith({}, ['[]'])).toEqual([
    'ComparisonError: Failed to load local manifests: local manifest 1 is no Kubernetes object',
  ]);
});
