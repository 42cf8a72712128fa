import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('kustomize', 'a kustomization that takes in what is elsewhere', (program) => {
  let shared: GitRepository;
  let further: GitRepository;
  let own: GitRepository;
  let server: StubServer;
  let test: TestSources;
  let permitted: (url: string) => boolean = () => true;

  beforeAll(async () => {
    server = await startStubServer((_request, response) => void response.end(configMap('fetched')));
    further = await createGitRepository({ 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': configMap('further') });
    shared = await createGitRepository({
      'deploy/base/kustomization.yaml': `resources: [../common, "${further.url}"]\nnamePrefix: v1-\n`,
      'deploy/common/kustomization.yaml': 'resources: [a.yaml]\n',
      'deploy/common/a.yaml': configMap('common'),
      'parts/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {part: taken}\n',
      'evil/kustomization.yaml': 'resources: [../../../etc, a.yaml]\n',
      'deploy/beside/kustomization.yaml': 'resources: [../../files/f.yaml]\n',
      'files/f.yaml': configMap('beside'),
    });
    await shared.git('tag', 'v1');
    await shared.commit({ 'deploy/base/kustomization.yaml': `resources: [../common]\nnamePrefix: v2-\n` });
    own = await createGitRepository({
      'app/kustomization.yaml': `resources: ["${shared.url}//deploy/base?ref=v1", ../base, own.yaml]\n`,
      'app/own.yaml': configMap('own'),
      'base/kustomization.yaml': `resources: ["${shared.url}//deploy/base?ref=main"]\nnameSuffix: -main\n`,
      'component/kustomization.yaml': `components: ["${shared.url}//parts"]\nresources: [../app/own]\n`,
      'app/own/kustomization.yaml': 'resources: [a.yaml]\n',
      'app/own/a.yaml': configMap('component'),
      'file/kustomization.yaml': `resources: ["${server.url}/releases/install.yaml"]\n`,
      'evil/kustomization.yaml': `resources: ["${shared.url}//evil"]\n`,
      'beside/kustomization.yaml': `resources: ["${shared.url}//deploy/beside", ../app/own.yaml]\n`,
      'missing/kustomization.yaml': `resources: ["${shared.url}//nope"]\n`,
      'patch/kustomization.yaml': `patches: [{path: "${shared.url}//x"}]\n`,
      linked: { link: 'app' },
    });
    test = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', kustomize: program() },
      dependencies: { urlOf: () => undefined, isPermitted: (url) => permitted(url) },
      limits: { revisionMs: 0 },
    });
  });
  afterAll(async () => {
    await test.close();
    await server.close();
    for (const repository of [own, shared, further]) await repository.remove();
  });

  const source = (path: string, kustomize?: object) => ({ repoURL: own.url, path, ...(kustomize && { kustomize }) });

  it('gets the folders of other repositories at their revisions, and what those take in themselves', async () => {
    expect((await test.names(source('app'))).sort()).toEqual(['own', 'v1-common', 'v1-further', 'v2-common-main']);
    expect(await readdir(join(test.folder, 'private'))).toEqual([]);
  });

  it('is changed by the source like any other', async () => {
    const names = await test.names(
      source('app', { namePrefix: 'x-', patches: [{ target: { name: 'own' }, patch: '- {op: add, path: /data/b, value: c}' }] }),
    );
    expect(names.sort()).toEqual(['x-own', 'x-v1-common', 'x-v1-further', 'x-v2-common-main']);
    expect((await test.names(source('linked'))).sort()).toEqual(['own', 'v1-common', 'v1-further', 'v2-common-main']);
  });

  it('takes in components', async () => {
    const { objects } = await test.render(source('component'));
    expect(objects.map(({ metadata }) => [metadata.name, metadata.annotations])).toEqual([['component', { part: 'taken' }]]);
  });

  it('DOS-07: does not follow chains of long links in another repository without end', async () => {
    const detour = 'd/../'.repeat(800);
    const links = Object.fromEntries(Array.from({ length: 30 }, (_unused, at) => [`l${at}`, { link: `${detour}l${at + 1}` }]));
    const chained = await createGitRepository({ ...links, 'd/keep': '', 'l30/keep': '' });
    try {
      const resources = Array.from({ length: 1_000 }, (_unused, at) => `${chained.url}//l0?n=${at}`);
      await own.commit({ 'chained/kustomization.yaml': JSON.stringify({ resources }) });
      await expect(test.render(source('chained'))).rejects.toThrow('take too many steps to follow');
    } finally {
      await chained.remove();
    }
  });

  it('has the files beside its folders, where the installation lets it read them', async () => {
    const settings = { kustomizeBuildOptions: '--load-restrictor=LoadRestrictionsNone' };
    expect((await test.names(source('beside'), { settings })).sort()).toEqual(['beside', 'own']);
  });

  it('takes in files by their address', async () => {
    expect(await test.names(source('file'))).toEqual(['fetched']);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('is rendered anew when what is elsewhere has changed, and only then', async () => {
    const before = await test.render(source('base'));
    expect((await test.render(source('base'))).objects).toBe(before.objects);
    await shared.commit({ 'unrelated.txt': 'x' });
    await shared.commit({ 'deploy/common/a.yaml': configMap('changed') });
    expect(await test.names(source('base'))).toEqual(['v2-changed-main']);
  });

  it('says what is wrong with what is elsewhere', async () => {
    await expect(test.render(source('evil'))).rejects.toThrow('"../../../etc" of the kustomization in "evil" is outside the repository');
    await expect(test.render(source('missing'))).rejects.toThrow('of a kustomization is no folder');
    await expect(test.render(source('patch'))).rejects.toThrow('only resources, bases and components of its file may be');
  });

  it('KUST-02: takes in only what the project permits', async () => {
    permitted = (url) => url === further.url;
    try {
      await expect(test.render(source('base'))).rejects.toMatchObject({
        code: 7,
        message: `the remote base ${shared.url} is not permitted in project 'default'`,
      });
      await expect(test.render(source('file'))).rejects.toMatchObject({ code: 7 });
    } finally {
      permitted = () => true;
    }
  });
});
