import { writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser } from '../support/argocd.ts';
import { deployment, IN_CLUSTER, Stage } from '../support/argocd-stage.ts';
import { startFairway } from '../support/fairway.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

const slow = { timeout: 60_000 };

describeWithTool('argocd', 'kinds of sources, with the stock client and a private git server', (argocd) => {
  let stage: Stage;

  beforeAll(async () => {
    const [helm, kustomize, kubectlProgram] = [await ensureTool('helm'), await ensureTool('kustomize'), await ensureTool('kubectl')];
    const path = [dirname(helm), dirname(kustomize), process.env['PATH'] ?? ''].join(delimiter);
    const fairway = await startFairway({ env: { PATH: path } });
    const kubectl = await createKubectlUser(kubectlProgram, fairway);
    const user = await createArgocdUser(argocd());
    const repository = await createGitRepository({
      'plain/a.json': configMap('plain'),
      'base/kustomization.yaml': 'resources: [web.json]\n',
      'base/web.json': deployment('web'),
      'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/values.yaml': 'who: nobody\n',
      'chart/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-map"}\ndata: {who: {{ .Values.who | quote }}}\n',
    });
    const server = await startGitHttpServer({
      root: dirname(repository.folder),
      authorization: `Basic ${Buffer.from('robot:pa55word').toString('base64')}`,
    });
    await kubectl.run('create', 'namespace', 'shop');
    stage = new Stage({
      fairway,
      user,
      kubectl: (...args) => kubectl.run(...args),
      kubeconfig: join(fairway.dataDir, 'kubeconfig'),
      repository,
      repositoryUrl: `${server.url}/${basename(repository.folder)}/.git`,
      controlNamespace: 'argocd',
      namespace: 'shop',
      async close() {
        await user[Symbol.asyncDispose]();
        await kubectl[Symbol.asyncDispose]();
        await fairway.stop();
        await server.close();
        await repository.remove();
      },
    });
    await stage.signIn();
  }, 240_000);
  afterAll(async () => {
    await stage?.parts.close();
  });

  const createWith = async (name: string, sources: readonly object[]): Promise<void> => {
    const destination = { server: IN_CLUSTER, namespace: 'shop' };
    const spec = { project: 'default', sources, destination };
    const file = join(stage.parts.repository.folder, '.git', `${name}.json`);
    const metadata = { name, namespace: 'argocd' };
    await writeFile(file, JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec }));
    await stage.argocd('app', 'create', '--file', file);
  };

  it('are refused without credentials, in words that name none', slow, async () => {
    const said = await stage.argocdFails(20, ...stage.createArguments('plain', 'plain'));
    expect(said).toContain('failed to list refs: authentication required');
  });

  it('are read with those of a credential template', slow, async () => {
    const { kubectl, repositoryUrl } = stage.parts;
    const literals = { url: new URL(repositoryUrl).origin, username: 'robot', password: 'pa55word' };
    const flags = Object.entries(literals).map(([key, value]) => `--from-literal=${key}=${value}`);
    await kubectl('-n', 'argocd', 'create', 'secret', 'generic', 'creds', ...flags);
    await kubectl('-n', 'argocd', 'label', 'secret', 'creds', 'argocd.argoproj.io/secret-type=repo-creds');
    await waitUntil(async () => (await stage.parts.user.run(...stage.createArguments('plain', 'plain'))).code === 0);
    await stage.argocd('app', 'sync', 'plain');
    expect(await stage.state('plain')).toBe('Synced Healthy');
    expect(stage.parts.fairway.output()).not.toContain('pa55word');
  });

  it('may be kustomizations, changed from the command line', slow, async () => {
    await stage.create('overlay', 'overlay', '--kustomize-image', 'nginx=registry.example.com/nginx:9', '--namesuffix', '-x');
    await stage.argocd('app', 'sync', 'overlay');
    const { status } = await stage.get('overlay');
    expect(status?.sourceType).toBe('Kustomize');
    expect(status?.resources?.map(({ name }) => name)).toEqual(['prod-web-x']);
  });

  it('may be charts, with values from the command line', slow, async () => {
    await stage.create('chart', 'chart', '--helm-set', 'who=somebody', '--release-name', 'r');
    await stage.argocd('app', 'sync', 'chart');
    const { status } = await stage.get('chart');
    expect(status?.sourceType).toBe('Helm');
    expect(await stage.argocd('app', 'manifests', 'chart')).toContain('somebody');
    const { stdout } = await stage.parts.kubectl('-n', 'shop', 'get', 'configmap', 'r-map', '--output', 'jsonpath={.data.who}');
    expect(stdout).toBe('somebody');
  });

  it('may be several, of which one lends its files to another', slow, async () => {
    const { repository, repositoryUrl, kubectl } = stage.parts;
    await repository.commit({ 'env/prod.yaml': 'who: lent\n' });
    await createWith('several', [
      { repoURL: repositoryUrl, path: 'chart', helm: { releaseName: 'several', valueFiles: ['$vals/env/prod.yaml'] } },
      { repoURL: repositoryUrl, ref: 'vals', targetRevision: 'main' },
      { repoURL: repositoryUrl, path: 'plain' },
    ]);
    await stage.argocd('app', 'sync', 'several');
    const { status } = await stage.get('several');
    expect(status?.sourceTypes).toEqual(['Helm', '', 'Directory']);
    const { stdout } = await kubectl('-n', 'shop', 'get', 'configmap', 'several-map', '--output', 'jsonpath={.data.who}');
    expect(stdout).toBe('lent');
  });

  it('lose what was set for charts, one thing after the other', slow, async () => {
    await stage.parts.repository.commit({ 'chart/more.yaml': 'who: more\n' });
    const literal = join(stage.parts.repository.folder, 'chart', 'more.yaml');
    const files = ['--values', 'values.yaml', '--values', 'more.yaml', '--values-literal-file', literal];
    await stage.create('unset', 'chart', ...files, '-p', 'a=1', '-p', 'b=2', '--ignore-missing-value-files', '--helm-pass-credentials');
    const helm = async (...flags: readonly string[]): Promise<unknown> => {
      await stage.argocd('app', 'unset', 'unset', ...flags);
      return (await stage.get('unset')).spec.source?.helm;
    };
    const valueFiles = ['values.yaml'];
    const b = [{ name: 'b', value: '2' }];
    const rest = { valueFiles, parameters: b, valuesObject: { who: 'more' }, ignoreMissingValueFiles: true, passCredentials: true };
    expect(await helm('-p', 'a', '--values', 'more.yaml')).toEqual(rest);
    // What is not there cannot be taken away, and that is no mistake.
    expect(await helm('-p', 'a', '--values', 'none.yaml')).toEqual(rest);
    expect(await helm('--values-literal')).toEqual({ valueFiles, parameters: b, ignoreMissingValueFiles: true, passCredentials: true });
    expect(await helm('--ignore-missing-value-files')).toEqual({ valueFiles, parameters: b, passCredentials: true });
    expect(await helm('--pass-credentials')).toEqual({ valueFiles, parameters: b });
    expect((await helm('-p', 'b', '--values', 'values.yaml')) ?? {}).toEqual({});
    expect(await stage.argocd('app', 'manifests', 'unset')).toContain('nobody');
  });

  it('lose what was set for kustomizations, one thing after the other', slow, async () => {
    const names = ['--nameprefix', 'p-', '--namesuffix', '-s', '--kustomize-namespace', 'shop', '--ignore-missing-components'];
    await stage.create('unset-overlay', 'overlay', ...names, '--kustomize-image', 'nginx=busybox:2', '--kustomize-replica', 'web=3');
    const kustomize = async (...flags: readonly string[]): Promise<unknown> => {
      await stage.argocd('app', 'unset', 'unset-overlay', ...flags);
      return (await stage.get('unset-overlay')).spec.source?.kustomize;
    };
    const images = ['nginx=busybox:2'];
    const replicas = [{ name: 'web', count: 3 }];
    const others = { namespace: 'shop', ignoreMissingComponents: true, images, replicas };
    expect(await kustomize('--nameprefix', '--namesuffix')).toEqual(others);
    expect(await kustomize('--kustomize-namespace', '--ignore-missing-components')).toEqual({ images, replicas });
    expect(await kustomize('--kustomize-replica', 'web')).toEqual({ images });
    expect((await kustomize('--kustomize-image', 'nginx')) ?? {}).toEqual({});
    expect((await kustomize('--kustomize-version')) ?? {}).toEqual({});
    expect(await stage.argocd('app', 'manifests', 'unset-overlay')).toMatch(/name: prod-web$/m);
  });

  it('lose what was set for one of several, by its place or its name', slow, async () => {
    const { repositoryUrl: repoURL } = stage.parts;
    const helm = { releaseName: 'one-of-two', valueFiles: ['$vals/env/prod.yaml'], values: 'who: literal' };
    await createWith('one-of-two', [
      { repoURL, path: 'chart', name: 'borrower', helm },
      { repoURL, path: 'plain', ref: 'vals', targetRevision: 'main' },
    ]);
    await stage.argocd('app', 'unset', 'one-of-two', '--source-name', 'borrower', '--values', '$vals/env/prod.yaml', '--values-literal');
    await stage.argocd('app', 'unset', 'one-of-two', '--source-position', '2', '--ref');
    expect((await stage.get('one-of-two')).spec.sources).toEqual([
      // The client forgets the name by which it was told to find a source.
      { repoURL, path: 'chart', helm: { releaseName: 'one-of-two' } },
      { repoURL, path: 'plain', targetRevision: 'main' },
    ]);
    expect(await stage.argocdFails(20, 'app', 'unset', 'one-of-two', '--values-literal')).toMatch(/source.position|source.name/i);
    await stage.create(
      'plugged',
      'plain',
      '--config-management-plugin',
      'none',
      '--plugin-env',
      'A=1',
      '--plugin-env',
      'B=2',
      '--validate=false',
    );
    await stage.argocd('app', 'unset', 'plugged', '--plugin-env', 'A');
    expect((await stage.get('plugged')).spec.source?.plugin).toEqual({ name: 'none', env: [{ name: 'B', value: '2' }] });
    // What would be left could not be rendered.
    expect(await stage.argocdFails(20, 'app', 'unset', 'several', '--source-position', '2', '--ref')).toContain('InvalidSpecError');
  });
});
