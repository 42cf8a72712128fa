import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { makeTar, makeTarball } from '../support/make-archive.ts';
import { BASIC, registryUser, startOciRegistry } from '../support/oci-registry.ts';
import type { OciRegistry } from '../support/oci-registry.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { startTunnelProxy } from '../support/tunnel-proxy.ts';

const TAR = 'application/vnd.oci.image.layer.v1.tar';
const TGZ = 'application/vnd.oci.image.layer.v1.tar+gzip';
const credentials = { username: new Sealed(registryUser.username), password: new Sealed(registryUser.password) };

describeWithTool('registry', 'a registry', () => {
  let helm: string;
  let folder: string;
  let open: OciRegistry;
  let basic: OciRegistry;
  let token: OciRegistry;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    helm = await ensureTool('helm');
    folder = await mkdtemp(join(tmpdir(), 'oci-'));
    [open, basic, token] = await Promise.all([
      startOciRegistry(),
      startOciRegistry({ auth: 'basic' }),
      startOciRegistry({ auth: 'token' }),
    ]);
    for (const version of ['1.0.0', '1.2.0+build.7', '2.0.0-rc.1']) {
      const chart = join(folder, version, 'shop');
      await mkdir(join(chart, 'templates'), { recursive: true });
      await writeFile(
        join(chart, 'Chart.yaml'),
        `apiVersion: v2\nname: shop\nversion: ${version}\ndescription: A shop\nhome: https://shop.example.com\nmaintainers: [{name: Ann, email: ann@example.com}, {name: Bob}]\n`,
      );
      await writeFile(join(chart, 'values.yaml'), 'who: chart\n');
      await writeFile(
        join(chart, 'templates', 'a.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {who: {{ .Values.who | quote }}, version: {{ .Chart.Version | quote }}}\n',
      );
      await run('package', chart, '--destination', folder);
      await run('push', join(folder, `shop-${version}.tgz`), `oci://${open.host}/charts`, '--plain-http');
    }
    for (const registry of [basic, token])
      await registry.push('team/web', '1.0.0', { layers: [{ mediaType: TGZ, content: makeTarball({ 'a.yaml': configMap('a') }) }] });
  }, 1_500_000);
  afterAll(async () => {
    await Promise.all([open, basic, token].map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  async function run(...args: string[]): Promise<string> {
    return (await promisify(execFile)(helm, args, { env: { HOME: folder, PATH: '' } })).stdout;
  }
  async function sourcesFor(access: Partial<RepositoryAccess> & { url: string }, more: object = {}): Promise<TestSources> {
    const test = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', helm },
      access: [{ type: 'oci', owner: 'repo', insecureOCIForceHttp: true, ...access }],
      ...more,
    });
    opened.push(test);
    return test;
  }

  it('has charts of Helm, at the version that a range stands for, fetched once', async () => {
    const front = await open.front();
    const url = `${front.host}/charts`;
    const test = await sourcesFor({ url, type: 'helm', enableOCI: true });
    const source = (targetRevision: string) => ({ repoURL: url, chart: 'shop', targetRevision, helm: { valuesObject: { who: 'me' } } });
    const { revision, sourceType, objects } = await test.render(source('1.x'));
    expect({ revision, sourceType }).toEqual({ revision: '1.2.0+build.7', sourceType: 'Helm' });
    expect(objects[0]).toMatchObject({ data: { who: 'me', version: '1.2.0+build.7' } });
    expect((await test.render(source('1.2.0+build.7'))).objects).toBe(objects);
    expect((await test.render(source('>=2.0.0-0'))).revision).toBe('2.0.0-rc.1');
    expect(front.requests.filter(({ line }) => line.includes('/blobs/'))).toHaveLength(2);
    expect(await test.sources.chartDetails(source('1.0.0'), '1.0.0', { project: 'default' })).toEqual({
      description: 'A shop',
      home: 'https://shop.example.com',
      maintainers: ['Ann <ann@example.com>', 'Bob'],
    });
    await expect(test.render(source('^9'))).rejects.toThrow('invalid revision: version matching constraint not found in 3 tags');
    await expect(test.render(source('newest'))).rejects.toThrow('failed to determine semver constraint: improper constraint: newest');
    await expect(test.render(source('9.0.0'))).rejects.toThrow(
      /^error fetching chart: failed to fetch chart: GET "[^"]+\/v2\/charts\/shop\/manifests\/9\.0\.0": response status code 404: manifest unknown$/,
    );
    await expect(test.render({ ...source('1.x'), chart: 'nope' })).rejects.toThrow('unable to get tags: ');
    await expect(test.sources.helmCharts(url, { project: 'default' })).rejects.toThrow('it has no index');
  });

  it('has the same charts as artifacts, named by their digest', async () => {
    const url = `oci://${open.host}/charts/shop`;
    const test = await sourcesFor({ url });
    const { revision, sourceType, objects } = await test.render({ repoURL: url, path: '.', targetRevision: '1.0.0' });
    expect(revision).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(sourceType).toBe('Helm');
    expect(objects[0]).toMatchObject({ data: { who: 'chart', version: '1.0.0' } });
    expect((await test.render({ repoURL: url, path: '.', targetRevision: revision })).objects).toBe(objects);
    expect(await test.sources.ociTags(url, { project: 'default' })).toEqual(['1.0.0', '1.2.0+build.7', '2.0.0-rc.1']);
    const details = await test.sources.details(
      { repoURL: url, path: '.', targetRevision: '1.0.0' },
      { project: 'default', applicationName: 'x' },
    );
    expect(details).toMatchObject({ type: 'Helm', helm: { valueFiles: ['values.yaml'], parameters: [{ name: 'who', value: 'chart' }] } });
  });

  it('has charts that take their values from git', async () => {
    const repository = await createGitRepository({ 'env/prod.yaml': 'who: from git\n' });
    opened.push({ close: () => repository.remove() });
    const references = new Map([
      ['$vals', { source: { repoURL: repository.url, ref: 'vals' }, revision: await repository.git('rev-parse', 'HEAD') }],
    ]);
    const helmOptions = { valueFiles: ['$vals/env/prod.yaml'] };
    for (const [access, source] of [
      [
        { url: `${open.host}/charts`, type: 'helm', enableOCI: true },
        { chart: 'shop', targetRevision: '1.0.0' },
      ],
      [{ url: `oci://${open.host}/charts/shop` }, { path: '.', targetRevision: '1.0.0' }],
    ] as const) {
      const test = await sourcesFor(access);
      const { objects } = await test.render({ repoURL: access.url, ...source, helm: helmOptions }, { references });
      expect(objects[0]).toMatchObject({ data: { who: 'from git' } });
    }
  });

  it('has charts and artifacts that render also where others may refer to them', async () => {
    const chart = { url: `${open.host}/charts`, type: 'helm', enableOCI: true } as const;
    const charts = await sourcesFor(chart);
    expect(await charts.names({ repoURL: chart.url, chart: 'shop', targetRevision: '1.0.0', ref: 'shop' })).toEqual(['web']);
    const url = `oci://${open.host}/charts/shop`;
    const artifacts = await sourcesFor({ url });
    expect(await artifacts.names({ repoURL: url, targetRevision: '1.0.0', ref: 'shop' })).toEqual(['web']);
  });

  describe('that the index of a Helm repository names', () => {
    /** A Helm repository whose charts are in a registry, and the room for both. */
    async function start(host: string, access: Partial<RepositoryAccess>, more: Parameters<typeof openTestSources>[0] = {}) {
      const entries = { shop: ['1.0.0', '1.2.0+build.7'].map((version) => ({ version, urls: [`oci://${host}/charts/shop:${version}`] })) };
      const index = await startStubServer((_request, response) => void response.end(JSON.stringify({ apiVersion: 'v1', entries })));
      opened.push(index);
      const options: Parameters<typeof openTestSources>[0] = {
        tools: { searchPath: process.env['PATH'] ?? '', helm },
        access: [
          { url: index.url, type: 'helm', owner: 'charts', ...credentials },
          { url: `oci://${host}/charts`, type: 'oci', owner: '', insecureOCIForceHttp: true, ...access },
        ],
        limits: { revisionMs: 0 },
        ...more,
      };
      const test = await openTestSources(options);
      opened.push(test);
      const source = (targetRevision: string, given: object = {}) => ({ repoURL: index.url, chart: 'shop', targetRevision, ...given });
      return { index, test, source, options };
    }
    const pushChart = async (): Promise<void> => {
      const content = await readFile(join(folder, 'shop-1.0.0.tgz'));
      const mediaType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
      await basic.push('charts/shop', '1.0.0', {
        layers: [{ mediaType, content }],
        configType: 'application/vnd.cncf.helm.config.v1+json',
      });
    };

    it('gives its charts without credentials, once, also when the index is gone', async () => {
      const front = await open.front();
      const { index, test, source } = await start(front.host, {});
      expect((await test.render(source('1.x'))).objects[0]).toMatchObject({ data: { version: '1.2.0+build.7' } });
      expect((await test.render(source('1.0.0'))).objects[0]).toMatchObject({ data: { version: '1.0.0' } });
      expect(front.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
      await index.close();
      expect(await test.names(source('1.0.0', { helm: { valuesObject: { who: 'me' } } }))).toEqual(['web']);
      expect(front.requests.filter(({ line }) => line.includes('/blobs/'))).toHaveLength(2);
    });

    it('gives its charts to a process that is started anew while the index is gone', async () => {
      const front = await open.front();
      const { index, test, source, options } = await start(front.host, {});
      await test.render(source('1.0.0'));
      await index.close();
      const later = await openTestSources({ ...options, folder: test.folder });
      opened.push(later);
      expect(await later.names(source('1.0.0'))).toEqual(['web']);
      expect(front.requests.filter(({ line }) => line.includes('/blobs/'))).toHaveLength(1);
    });

    it('CRED-10: is told what is registered for it, for projects that may use that and for nobody else', async () => {
      await pushChart();
      const isPermitted = (_url: string, project: string): boolean => project === 'default';
      const registered = { owner: 'registry', ...credentials };
      const { test, source } = await start(basic.host, registered, { dependencies: { urlOf: () => undefined, isPermitted } });
      expect(await test.names(source('1.0.0'))).toEqual(['web']);
      const application = { name: 'web', namespace: 'argocd', project: 'other' };
      await expect(test.render(source('1.0.0'), { application })).rejects.toThrow(/error fetching chart: .*401/);
    });

    it('CRED-05: gets the credentials of the Helm repository only where that is asked for', async () => {
      await pushChart();
      const front = await basic.front();
      const { test, source } = await start(front.host, {});
      await expect(test.render(source('1.0.0'))).rejects.toThrow(/error fetching chart: .*401/);
      expect(front.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
      expect(await test.names(source('1.0.0', { helm: { passCredentials: true } }))).toEqual(['web']);
      expect(front.requests.at(-1)?.authorization).toBe(BASIC);
    });
  });

  it('has artifacts of any content, and follows a tag that moves', async () => {
    const url = `oci://${open.host}/team/site`;
    const test = await sourcesFor({ url });
    const files = { 'web/a.yaml': configMap('a'), 'web/b.yaml': configMap('b'), 'other/c.yaml': configMap('c') };
    const annotations = {
      'org.opencontainers.image.created': '2026-01-02T03:04:05Z',
      'org.opencontainers.image.authors': 'Ann',
      'org.opencontainers.image.description': 'A site',
      'org.opencontainers.image.documentation': 'https://docs.example.com',
      'org.opencontainers.image.source': 'https://git.example.com/site',
      'org.opencontainers.image.version': '1.4.0',
    };
    const first = await open.push('team/site', '1.4.0', { layers: [{ mediaType: TGZ, content: makeTarball(files) }], annotations });
    const source = { repoURL: url, path: 'web', targetRevision: '^1' };
    expect(await test.render(source)).toMatchObject({ revision: first, sourceType: 'Directory' });
    expect(await test.names(source)).toEqual(['a', 'b']);
    expect(await test.sources.ociMetadata(source, first, { project: 'default' })).toEqual({
      createdAt: '2026-01-02T03:04:05Z',
      authors: 'Ann',
      description: 'A site',
      docsUrl: 'https://docs.example.com',
      sourceUrl: 'https://git.example.com/site',
      version: '1.4.0',
    });
    const changed = Object.entries({ ...files, 'web/b.yaml': configMap('changed') }).map(([path, content]) => ({ path, content }));
    const second = await open.push('team/site', '1.4.0', {
      layers: [{ mediaType: TAR, content: makeTar([...changed, { path: 'web/link.yaml', type: '2', target: '../other/c.yaml' }]) }],
    });
    expect(await test.render(source)).toMatchObject({ revision: second });
    expect(await test.names(source)).toEqual(['a', 'changed', 'c']);
    expect(await test.names({ ...source, targetRevision: first })).toEqual(['a', 'b']);
    expect(await test.sources.apps({ repoURL: url, targetRevision: first }, { project: 'default' })).toEqual([]);
    await expect(test.render({ ...source, path: 'nope' })).rejects.toThrow('nope: app path does not exist');
  });

  it('has artifacts in an index, where the index has no other', async () => {
    const image = (name: string) => ({ layers: [{ mediaType: TAR, content: makeTar([{ path: 'a.yaml', content: configMap(name) }]) }] });
    const [one, two] = [await open.push('team/wrapped', 'one', image('one')), await open.push('team/wrapped', 'two', image('two'))];
    const digest = await open.pushIndex('team/wrapped', '1.0.0', [one]);
    await open.pushIndex('team/wrapped', '2.0.0', [one, two]);
    const url = `oci://${open.host}/team/wrapped`;
    const test = await sourcesFor({ url });
    const rendered = await test.render({ repoURL: url, path: '.', targetRevision: '1.0.0' });
    expect([rendered.revision, rendered.objects.map(({ metadata }) => metadata.name)]).toEqual([digest, ['one']]);
    await expect(test.render({ repoURL: url, path: '.', targetRevision: '2.0.0' })).rejects.toThrow(
      'expected the manifest of an image, got',
    );
  });

  it('is asked for what a tag or range stands for also where somebody renders that', async () => {
    const application = { name: 'web', namespace: 'argocd', project: 'default' };
    const artifact = `oci://${open.host}/charts/shop`;
    const charts = `${open.host}/charts`;
    const test = await sourcesFor({ url: artifact });
    const source = { repoURL: artifact, path: '.', targetRevision: '2.0.0-rc.1' };
    const rendered = await test.sources.render({ source, revision: '1.0.0', application, destinationNamespace: 'x' });
    expect(rendered).toMatchObject({ revision: expect.stringMatching(/^sha256:/), objects: [{ data: { version: '1.0.0' } }] });
    const other = await sourcesFor({ url: charts, type: 'helm', enableOCI: true });
    const chart = { repoURL: charts, chart: 'shop', targetRevision: '2.0.0-rc.1' };
    expect(await other.sources.render({ source: chart, revision: '1.0.x', application, destinationNamespace: 'x' })).toMatchObject({
      revision: '1.0.0',
    });
  });

  it('says which revision it does not have', async () => {
    const url = `oci://${open.host}/charts/shop`;
    const test = await sourcesFor({ url });
    await expect(test.render({ repoURL: url, path: '.', targetRevision: 'nope' })).rejects.toThrow(
      /^failed to resolve revision "nope": cannot get digest for revision nope: HEAD .*404: Not Found$/,
    );
    await expect(test.render({ repoURL: url, path: '.', targetRevision: '^9' })).rejects.toThrow(
      'failed to resolve revision "^9": no version for constraints: ',
    );
    await expect(test.render({ repoURL: url, path: '.', targetRevision: `sha256:${'0'.repeat(64)}` })).rejects.toThrow(
      '404: manifest unknown',
    );
  });

  it('that wants a password gets it, and one that wants a token gets that', async () => {
    for (const registry of [basic, token]) {
      const front = await registry.front();
      const url = `oci://${front.host}/team/web`;
      const test = await sourcesFor({ url, ...credentials });
      expect(await test.names({ repoURL: url, path: '.', targetRevision: '1.x' })).toEqual(['a']);
      await test.sources.testRepository({ url, type: 'oci', owner: 'x', insecureOCIForceHttp: true, ...credentials });
      const stranger = await sourcesFor({ url });
      await expect(stranger.render({ repoURL: url, path: '.', targetRevision: '1.0.0' })).rejects.toThrow(/401/);
      const failing = stranger.sources.testRepository({
        url,
        type: 'oci',
        owner: 'y',
        insecureOCIForceHttp: true,
        ...credentials,
        password: new Sealed('wrong'),
      });
      await expect(failing).rejects.toThrow(/^error testing repository connectivity: .*401/);
    }
    expect(token.tokenRequests.map(({ url }) => new URL(url, 'http://x').searchParams.get('scope'))).toContain('repository:team/web:pull');
    // One token serves all requests to one repository.
    const granted = token.tokenRequests.filter(({ url, authorization }) => url.includes('scope=') && authorization === BASIC);
    expect(granted).toHaveLength(1);
  });

  it('is tested as a place of charts, where only its host is named', async () => {
    const test = await sourcesFor({ url: 'unused' });
    const helmAccess = { type: 'helm', enableOCI: true, insecureOCIForceHttp: true, owner: 'x' } as const;
    await test.sources.testRepository({ ...helmAccess, ...credentials, url: `${basic.host}/charts` });
    // Without credentials nobody is asked.
    await test.sources.testRepository({ ...helmAccess, url: '127.0.0.1:1/charts' });
    await expect(test.sources.testRepository({ ...helmAccess, url: `oci://${basic.host}/charts` })).rejects.toThrow(
      'error testing repository connectivity: OCI Helm repository URL should include hostname and port only',
    );
    await expect(
      test.sources.testRepository({ ...helmAccess, ...credentials, password: new Sealed('wrong'), url: `${basic.host}/charts` }),
    ).rejects.toThrow(/401/);
  });

  it('is reached through a proxy, unless its host is excepted', async () => {
    const hosts = { 'registry.invalid': '127.0.0.1' };
    const port = open.host.replace(/^.*:/, '');
    const hidden = `oci://registry.invalid:${port}/charts/shop`;
    for (const scheme of ['socks5:', 'socks5h:']) {
      const proxy = await startTunnelProxy({ scheme: 'socks5', user: 'u', password: 'p', hosts });
      opened.push(proxy);
      const test = await sourcesFor({ url: hidden, proxy: proxy.url.replace('socks5:', scheme) });
      expect((await test.render({ repoURL: hidden, path: '.', targetRevision: '1.0.0' })).sourceType).toBe('Helm');
      expect(new Set(proxy.targets)).toEqual(new Set([`registry.invalid:${port}`]));
    }
    const url = `oci://${open.host}/charts/shop`;
    const source = { repoURL: url, path: '.', targetRevision: '1.0.0' };
    const direct = await sourcesFor({ url, proxy: 'http://127.0.0.1:1', noProxy: 'example.com,127.0.0.0/8' });
    expect((await direct.render(source)).sourceType).toBe('Helm');
    await expect((await sourcesFor({ url, proxy: 'http://127.0.0.1:1' })).render(source)).rejects.toThrow('ECONNREFUSED');
  });

  it('is asked again for what was lost or damaged on disk', async () => {
    const front = await open.front();
    const url = `oci://${front.host}/charts/shop`;
    const test = await sourcesFor({ url });
    const source = (values: string) => ({ repoURL: url, path: '.', targetRevision: '1.0.0', helm: { values: `who: ${values}\n` } });
    const fetched = (): number => front.requests.filter(({ line }) => line.includes('/blobs/')).length;
    await test.render(source('one'));
    expect(fetched()).toBe(1);
    const archives = join(test.folder, 'charts');
    const loseTrees = () => rm(join(test.folder, 'trees'), { recursive: true, force: true }).then(() => mkdir(join(test.folder, 'trees')));
    await loseTrees();
    for (const name of await readdir(archives)) await rm(join(archives, name));
    expect((await test.render(source('two'))).objects[0]).toMatchObject({ data: { who: 'two' } });
    expect(fetched()).toBe(2);
    await loseTrees();
    for (const name of await readdir(archives)) await writeFile(join(archives, name), 'damaged');
    expect((await test.render(source('three'))).objects[0]).toMatchObject({ data: { who: 'three' } });
    expect(fetched()).toBe(3);
  });

  it('CRED-10: what one project has read with its credentials is not there for another', async () => {
    const url = `oci://${basic.host}/team/web`;
    const own: RepositoryAccess = { url, type: 'oci', owner: 'team-a', insecureOCIForceHttp: true, ...credentials };
    const test = await openTestSources({
      credentialsFor: (_url, project) => (project === 'team-a' ? own : { url, type: 'oci', owner: '', insecureOCIForceHttp: true }),
    });
    opened.push(test);
    const source = { repoURL: url, path: '.', targetRevision: '1.0.0' };
    const { revision } = await test.sources.resolve(source, { project: 'team-a' });
    const render = (project: string) =>
      test.sources.render({ source, revision, application: { name: 'web', namespace: 'argocd', project }, destinationNamespace: 'x' });
    expect((await render('team-a')).objects).toHaveLength(1);
    await expect(render('team-b')).rejects.toThrow('401');
    await expect(test.sources.resolve(source, { project: 'team-b' })).rejects.toThrow('401');
    await expect(test.sources.ociTags(url, { project: 'team-b' })).rejects.toThrow('401');
  });
});
