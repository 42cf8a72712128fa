import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicationType, readApplication } from '../../src/model/index.ts';
import { openApplicationPlane, type ApplicationPlane } from '../support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';

const NAMESPACE = 'late';

let plane: ApplicationPlane;
let repository: GitRepository;

beforeEach(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a') });
  plane = await openApplicationPlane();
  plane.startController();
});

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

describe('A sync that is tried again', () => {
  it.each([
    ['says so, and stays with its revision', false, 'Retrying operation. Attempt #1'],
    ['says so, and takes the newest revision where that is asked for', true, 'Retrying operation with latest revisions. Attempt #1'],
  ])('%s', { timeout: 30_000 }, async (_, refresh, message) => {
    const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
    const destination = { server: 'https://kubernetes.default.svc', namespace: NAMESPACE };
    await plane.create('web', { project: 'default', source, destination });
    await plane.waitFor('web', ({ status }) => status?.sync?.status === 'OutOfSync');
    const told: string[] = [];
    const end = plane.applications.subscribe(({ object }) => {
      const { message: text = '', finishedAt } = readApplication(object).status?.operationState ?? {};
      told.push(`${text}${finishedAt ? ' (waits)' : ''}`);
    });
    const first = await repository.git('rev-parse', 'HEAD');
    const retry = { limit: 2, refresh, backoff: { duration: '1s', factor: 1 } };
    const body = { operation: { sync: { revision: first }, retry } };
    await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
    await plane.waitFor('web', ({ status }) => status?.operationState?.retryCount === 1);
    const second = await repository.commit({ 'app/a.json': configMap('a', { key: 'new' }) });
    await plane.home.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const { status } = await plane.waitFor('web', ({ operation }) => !operation);
    end();
    expect(told).toContain(message);
    expect(status?.operationState).toMatchObject({ phase: 'Succeeded', syncResult: { revision: refresh ? second : first } });
    expect(status?.operationState?.syncResult?.resources).toHaveLength(1);
  });
});
