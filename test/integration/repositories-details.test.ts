import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const pod = (image: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: image.replaceAll(/[:/.]/g, '-') },
    spec: { initContainers: [{ name: 'init', image: 'example.com/init:1' }], containers: [{ name: 'main', image }] },
  });

describeWithTool('kustomize', 'the details of a kustomization', (kustomize) => {
  let repository: GitRepository;
  let test: TestSources;

  beforeAll(async () => {
    repository = await createGitRepository({
      'base/kustomization.yaml': 'resources: [web.yaml, api.yaml]\nimages: [{name: example.com/web, newTag: "2"}]\n',
      'base/web.yaml': pod('example.com/web:1'),
      'base/api.yaml': pod('example.com/api:1'),
    });
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', kustomize: kustomize() } });
  });
  afterAll(async () => {
    await test.close();
    await repository.remove();
  });

  it('are the images of all its containers, as they are rendered', async () => {
    const source = { repoURL: repository.url, path: 'base', targetRevision: 'HEAD' };
    expect(await test.sources.details(source, { project: 'default', applicationName: 'web' })).toEqual({
      type: 'Kustomize',
      kustomize: { images: ['example.com/api:1', 'example.com/init:1', 'example.com/init:1', 'example.com/web:2'] },
    });
    expect(await test.sources.apps(source, { project: 'default' })).toEqual([{ path: 'base', type: 'Kustomize' }]);
  });
});
