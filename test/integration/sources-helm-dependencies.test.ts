import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { DependencySettings, RepositoryAccess } from '../../src/sources/index.ts';
import { parseYamlDocuments } from '../support/read-manifests.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { registryUser, startOciRegistry, type OciRegistry } from '../support/oci-registry.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { startStubServer, type StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const authorization = `Basic ${Buffer.from(`${registryUser.username}:${registryUser.password}`).toString('base64')}`;
const credentials = { username: new Sealed(registryUser.username), password: new Sealed(registryUser.password) };
const template = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-${name}-{{ .Chart.Name }}"}\ndata: {version: {{ .Chart.Version | quote }}, who: {{ .Values.who | default "nobody" | quote }}}\n`;
const chartFile = (name: string, version: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`;

describeWithTool('registry', 'what a chart depends on', () => {
  let helm: string;
  let folder: string;
  let registry: OciRegistry;
  let server: StubServer;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    helm = await ensureTool('helm');
    folder = await mkdtemp(join(tmpdir(), 'dependencies-'));
    registry = await startOciRegistry({ auth: 'basic' });
    await run(['registry', 'login', registry.host, '-u', registryUser.username, '-p', registryUser.password, '--plain-http']);
    for (const version of ['1.0.0', '1.3.0', '2.0.0']) {
      const chart = join(folder, 'src', version, 'lib');
      await write(chart, { 'Chart.yaml': chartFile('lib', version), 'templates/a.yaml': template('lib'), 'values.yaml': 'who: library\n' });
      await run(['package', chart, '--destination', join(folder, 'repo')]);
      await run(['push', join(folder, 'repo', `lib-${version}.tgz`), `oci://${registry.host}/libraries`, '--plain-http']);
    }
    await run(['repo', 'index', join(folder, 'repo')]);
    server = await startStubServer((request, response) => serve(request, response));
  }, 1_500_000);
  afterAll(async () => {
    await Promise.all([registry, server].map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
    readFile(join(folder, 'repo', (request.url ?? '').replace(/^\/charts\//, ''))).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  }
  async function write(place: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(place, path)), { recursive: true });
      await writeFile(join(place, path), content);
    }
  }
  async function run(args: readonly string[], cwd = folder): Promise<string> {
    return (await promisify(execFile)(helm, [...args], { cwd, env: { HOME: folder, PATH: '' } })).stdout;
  }
  /** What the tool itself makes of a chart, after it has fetched everything. */
  async function byHand(files: Readonly<Record<string, string>>, path: string): Promise<unknown[]> {
    const copy = await mkdtemp(join(folder, 'hand-'));
    await write(copy, files);
    await run([
      'repo',
      'add',
      'libs',
      `${server.url}/charts`,
      '--username',
      registryUser.username,
      '--password',
      registryUser.password,
      '--force-update',
    ]);
    await run(['dependency', 'build', '.', '--plain-http'], join(copy, path));
    return parseYamlDocuments(
      await run(['template', '.', '--name-template', 'web', '--namespace', 'prod', '--include-crds'], join(copy, path)),
    );
  }
  async function open(
    files: Readonly<Record<string, string>>,
    more: { access?: readonly RepositoryAccess[]; dependencies?: DependencySettings } = {},
  ) {
    const repository = await createGitRepository(files);
    opened.push({ close: () => repository.remove() });
    const helmRepository: RepositoryAccess = { url: `${server.url}/charts`, type: 'helm', owner: 'helm', ...credentials };
    const ociRepository: RepositoryAccess = {
      url: registry.host,
      type: 'helm',
      enableOCI: true,
      insecureOCIForceHttp: true,
      owner: 'oci',
      ...credentials,
    };
    const test: TestSources = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', helm },
      access: [helmRepository, ociRepository],
      dependencies: { urlOf: (name) => (name === 'libs' ? `${server.url}/charts` : undefined), isPermitted: () => true },
      ...more,
    });
    opened.push(test);
    return { repository, test };
  }

  it.each([
    ['from a Helm repository', () => `${server.url}/charts`, '^1.0.0'],
    ['from a Helm repository by its name', () => '@libs', '~1.3'],
    ['from a Helm repository by an alias', () => 'alias:libs', '>=1.0.0 <2.0.0'],
    ['from a registry', () => `oci://${registry.host}/libraries`, '1.0.0'],
  ])('is fetched %s, as the tool itself would', async (_where, repository, version) => {
    const dependencies = `dependencies: [{name: lib, version: "${version}", repository: "${repository()}"}]\n`;
    const files = {
      'web/Chart.yaml': chartFile('web', '0.1.0', dependencies),
      'web/templates/a.yaml': template('own'),
      'web/values.yaml': 'who: me\nlib: {who: parent}\n',
    };
    const { test, repository: git } = await open(files);
    const source = { repoURL: git.url, path: 'web' };
    const { objects } = await test.render(source);
    expect(objects).toEqual(await byHand(files, 'web'));
    expect(objects.map(({ data }) => data)).toEqual(expect.arrayContaining([expect.objectContaining({ who: 'parent' })]));
    // Nothing is fetched again for the next commit.
    const before = server.requests.length;
    await git.commit({ 'web/values.yaml': 'who: changed\n' });
    expect((await test.render(source)).objects).toHaveLength(2);
    expect(server.requests).toHaveLength(before);
  });

  it('beside it is taken from the repository, and a change there is noticed', async () => {
    const files = {
      'web/Chart.yaml': chartFile(
        'web',
        '0.1.0',
        'dependencies: [{name: near, version: 1.x.x, repository: "file://../libs/near", alias: other}]\n',
      ),
      'libs/near/Chart.yaml': chartFile('near', '1.4.0', 'dependencies: [{name: far, version: "*", repository: "file://../far"}]\n'),
      'libs/near/templates/a.yaml': template('near'),
      'libs/far/Chart.yaml': chartFile('far', '9.0.0'),
    };
    const { test, repository } = await open(files);
    const source = { repoURL: repository.url, path: 'web' };
    const before = await test.render(source);
    expect(before.objects).toEqual(await byHand(files, 'web'));
    expect(before.objects[0]?.metadata.name).toBe('web-near-other');
    await repository.commit({ 'libs/near/templates/a.yaml': template('changed') });
    expect((await test.render(source)).objects[0]?.metadata.name).toBe('web-changed-other');
    await repository.commit({ 'libs/near/Chart.yaml': chartFile('near', '2.0.0') });
    await expect(test.render(source)).rejects.toThrow("can't get a valid version for dependency near");
  });

  it('is what the lock file says, as long as that fits', async () => {
    const repository = `${server.url}/charts`;
    const lock = (version: string): string =>
      `dependencies:\n- name: lib\n  repository: ${repository}\n  version: ${version}\ndigest: sha256:0\n`;
    const files = {
      'Chart.yaml': chartFile('web', '0.1.0', `dependencies: [{name: lib, version: "1.x", repository: "${repository}"}]\n`),
      'Chart.lock': lock('1.0.0'),
    };
    const { test, repository: git } = await open(files);
    expect((await test.render({ repoURL: git.url, path: '.' })).objects[0]).toMatchObject({ data: { version: '1.0.0' } });
    await git.commit({ 'Chart.lock': lock('2.0.0') });
    await expect(test.render({ repoURL: git.url, path: '.' })).rejects.toThrow(
      'error building helm chart dependencies: failed to build helm dependencies: failed to build dependencies: the lock file (Chart.lock) is out of sync',
    );
  });

  it('of an old chart is in a file of its own', async () => {
    const files = {
      'Chart.yaml': 'apiVersion: v1\nname: web\nversion: 0.1.0\n',
      'requirements.yaml': 'dependencies: [{name: lib, version: "2.x", repository: "@libs"}]\n',
    };
    const { test, repository } = await open(files);
    expect((await test.render({ repoURL: repository.url, path: '.' })).objects).toEqual(await byHand(files, '.'));
  });

  it('is not fetched with what the project must not use', async () => {
    const files = {
      'http/Chart.yaml': chartFile('web', '0.1.0', `dependencies: [{name: lib, version: "1.x", repository: "${server.url}/charts"}]\n`),
      'oci/Chart.yaml': chartFile(
        'web',
        '0.1.0',
        `dependencies: [{name: lib, version: "1.x", repository: "oci://${registry.host}/libraries"}]\n`,
      ),
      'alias/Chart.yaml': chartFile('web', '0.1.0', 'dependencies: [{name: lib, version: "1.x", repository: "@nobody"}]\n'),
    };
    const { test, repository } = await open(files, { dependencies: { urlOf: () => undefined, isPermitted: () => false } });
    const before = server.requests.length;
    await expect(test.render({ repoURL: repository.url, path: 'http' })).rejects.toMatchObject({
      code: 7,
      message: `helm repos ${server.url}/charts are not permitted in project 'default'`,
    });
    expect(server.requests.slice(before).map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await expect(test.render({ repoURL: repository.url, path: 'oci' })).rejects.toThrow('are not permitted in project');
    await expect(test.render({ repoURL: repository.url, path: 'alias' })).rejects.toThrow('no repository definition for @nobody');
  });

  it('PATH-01 SSRF-01 HELM-03: repositories and names that lead elsewhere are refused', async () => {
    const bad = [
      ['lib', 'file:///etc', 'resolved to outside repository root'],
      ['lib', 'file://../../../etc', 'resolved to outside repository root'],
      ['lib', 'file://../nope', 'not found'],
      ['lib', 's3://bucket/x', 'neither a name nor an http'],
      ['..', '@libs', 'no valid name'],
      ['../x', '@libs', 'no valid name'],
    ] as const;
    const charts = bad.map(([name, repository], index) => {
      const dependency = JSON.stringify({ name, version: '1.x', repository });
      return [`web-${index}/Chart.yaml`, chartFile('web', '0.1.0', `dependencies: [${dependency}]\n`)] as const;
    });
    const { test, repository } = await open(Object.fromEntries(charts));
    for (const [index, [, , reason]] of bad.entries())
      await expect(test.render({ repoURL: repository.url, path: `web-${index}` })).rejects.toThrow(reason);
  });

  it('HELM-04: a lock file that is a link is refused', async () => {
    const linked = await createGitRepository({
      'Chart.yaml': chartFile('web', '0.1.0', 'dependencies: [{name: lib, version: "1.x", repository: "@libs"}]\n'),
      'Chart.lock': { link: 'target' },
      target: 'dependencies: []\n',
    });
    opened.push({ close: () => linked.remove() });
    const { test } = await open({ 'a.txt': '' });
    await expect(test.render({ repoURL: linked.url, path: '.' })).rejects.toThrow(/Chart\.lock file is a symlink/);
  });

  it('may be values at an address, where the installation allows it', async () => {
    const remote = await startStubServer((request, response) => {
      if (request.url === '/moved.yaml') return void response.writeHead(302, { location: '/values.yaml' }).end();
      if (request.url === '/values.yaml') return void response.end('who: remote\n');
      if (request.url === '/large.yaml') return void response.end('x'.repeat(2 << 20));
      return void response.writeHead(404).end('a secret text');
    });
    opened.push(remote);
    const { test, repository } = await open(
      { 'Chart.yaml': chartFile('web', '0.1.0'), 'templates/a.yaml': template('own'), 'local.yaml': 'who: local\n' },
      { access: [{ url: `${remote.url}/values.yaml`, type: 'helm', owner: 'x', ...credentials }] },
    );
    const render = async (valueFiles: string[], settings = {}) =>
      (await test.render({ repoURL: repository.url, path: '.', helm: { valueFiles } }, { settings })).objects[0]?.['data'];
    expect(await render([`${remote.url}/values.yaml`])).toMatchObject({ who: 'remote' });
    expect(await render([`${remote.url}/moved.yaml`, 'local.yaml'])).toMatchObject({ who: 'local' });
    expect(remote.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    await expect(render([`${remote.url}/nope.yaml`])).rejects.toThrow(/nope\.yaml : 404 Not Found$/);
    await expect(render([`${remote.url}/large.yaml`])).rejects.toThrow('is larger than');
    for (const helmValuesFileSchemes of [['https'], []])
      await expect(render([`${remote.url}/values.yaml`], { helmValuesFileSchemes })).rejects.toThrow(
        "the URL scheme 'http' is not allowed",
      );
    await expect(render(['http://169.254.169.254/latest/meta-data'])).rejects.toThrow('addresses of the local link are not allowed');
  });

  it('keeps a vendored chart as it is', async () => {
    const { test, repository } = await open({
      'Chart.yaml': chartFile('web', '0.1.0', 'dependencies: [{name: lib, version: "1.0.0", repository: "https://charts.example.com"}]\n'),
      'charts/lib/Chart.yaml': chartFile('lib', '1.0.0'),
      'charts/lib/templates/a.yaml': template('lib'),
    });
    const { objects } = await test.render({ repoURL: repository.url, path: '.' });
    expect(objects).toHaveLength(1);
  });
});
