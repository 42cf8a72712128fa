import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicationType } from '../../src/model/index.ts';
import { openApplicationPlane, type ApplicationPlane } from '../support/application-plane.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';

let plane: ApplicationPlane;
let repository: GitRepository;

const library = (value: string, namespace = 'web'): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { value } });

beforeEach(async () => {
  repository = await createGitRepository({ 'app/a.jsonnet': "import '../lib/a.libsonnet'\n", 'elsewhere.txt': '1' });
  plane = await openApplicationPlane();
  plane.startController();
  await plane.home.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } });
});

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

/** An automated application that says it is made from its own folder, while its program reads another. */
async function create(): Promise<void> {
  const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'web' };
  const spec = { project: 'default', source, destination, syncPolicy: { automated: {}, retry: { limit: 0 } } };
  await plane.create('web', spec, { annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' } });
}

async function refresh(): Promise<void> {
  const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
}

const waitForSync = (revision: string, phase: string) =>
  plane.waitFor('web', ({ operation, status }) => {
    const { operationState: state } = status ?? {};
    return !operation && state?.phase === phase && state.syncResult?.revision === revision;
  });
const waitForLook = (revision: string) => plane.waitFor('web', ({ status }) => status?.sync?.revision === revision);

describe('An application that says what it is made from', () => {
  it('follows what else its manifests are made from, and syncs nothing for other commits', { timeout: 60_000 }, async () => {
    const first = await repository.commit({ 'lib/a.libsonnet': library('old') });
    await create();
    await waitForSync(first, 'Succeeded');
    const second = await repository.commit({ 'lib/a.libsonnet': library('new') });
    await refresh();
    const { status } = await waitForSync(second, 'Succeeded');
    expect(status?.history?.map(({ revision }) => revision)).toEqual([first, second]);
    const third = await repository.commit({ 'elsewhere.txt': '2' });
    await refresh();
    expect((await waitForLook(third)).status?.operationState?.syncResult?.revision).toBe(second);
  });

  it('tries again what failed where that is mended, and not for other commits', { timeout: 60_000 }, async () => {
    const first = await repository.commit({ 'lib/a.libsonnet': library('old', 'nowhere') });
    await create();
    await waitForSync(first, 'Failed');
    const second = await repository.commit({ 'elsewhere.txt': '2' });
    await refresh();
    const { status } = await waitForLook(second);
    expect(status?.operationState?.syncResult?.revision).toBe(first);
    expect(status?.conditions).toMatchObject([{ type: 'SyncError', message: expect.stringContaining('Failed last sync attempt') }]);
    const third = await repository.commit({ 'lib/a.libsonnet': library('old') });
    await refresh();
    await waitForSync(third, 'Succeeded');
  });
});
