import { afterEach, beforeEach, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import type { Application } from '../../model/index.ts';
import { loadTarget } from './load-target.ts';

let plane: ApplicationPlane;
let repository: GitRepository;

beforeEach(async () => {
  repository = await createGitRepository({ 'one/a.json': configMap('a'), 'two/b.json': configMap('b') });
  plane = await openApplicationPlane();
});

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

it('A commit that cannot be rendered leaves an application at the commit that it is made for', async () => {
  const sources = ['one', 'two'].map((path) => ({ repoURL: repository.url, path }));
  const application: Application = {
    metadata: { name: 'shop', namespace: 'argocd', annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' } },
    spec: { project: 'default', sources, destination },
  };
  const cluster = plane.context.clusters.resolve(destination);
  const { signal } = new AbortController();
  await cluster.cache.whenSynced(signal);
  const look = async (commit: string): Promise<readonly string[]> => {
    const request = { sources, revisions: [commit, commit], fresh: false, isLook: true, cluster, signal };
    return (await loadTarget(plane.context, application, request)).generations;
  };
  const first = await repository.git('rev-parse', 'HEAD');
  const second = await repository.commit({ 'elsewhere.txt': '1' });
  const broken = await repository.commit({ 'one/a.json': configMap('a', { key: 'other' }), 'two/b.json': '{' });
  const mended = await repository.commit({ 'two/b.json': configMap('b') });
  expect(await look(first)).toEqual([first, first]);
  expect(await look(second)).toEqual([first, first]);
  await expect(look(broken)).rejects.toThrow('failed to generate manifest for source 2 of 2');
  // For a while the application is still compared with what it has.
  expect(await look(second)).toEqual([first, first]);
  expect(await look(mended)).toEqual([mended, first]);
});
