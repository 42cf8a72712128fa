import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap } from '../support/git-repository.ts';
import { makeTarball } from '../support/make-archive.ts';
import { registryUser, startOciRegistry, type OciRegistry, type RegistryFront } from '../support/oci-registry.ts';
import { signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { startStubServer, type StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;
const DESTINATION = ['--dest-server', 'https://kubernetes.default.svc', '--dest-namespace', 'default'];
const PASSWORD = ['--username', registryUser.username, '--password', registryUser.password];

describeWithTool('argocd', 'argocd repo and app with a real registry and a Helm repository', (program) => {
  let fairway: Fairway;
  let user: ArgocdUser;
  let rest: RestCaller;
  let registry: OciRegistry;
  let front: RegistryFront;
  let charts: StubServer;
  let folder: string;
  let isBroken = false;
  let digest: string;

  beforeAll(async () => {
    const helm = await ensureTool('helm');
    folder = await mkdtemp(join(tmpdir(), 'argocd-oci-'));
    registry = await startOciRegistry({ auth: 'basic' });
    front = await registry.front({
      misbehave: (_request, response) => {
        if (isBroken) response.writeHead(500).end();
        return isBroken ? 'done' : undefined;
      },
    });
    const run = (...args: string[]) => promisify(execFile)(helm, args, { env: { HOME: folder, PATH: '' } });
    await run('registry', 'login', registry.host, ...PASSWORD, '--plain-http');
    for (const version of ['1.0.0', '1.1.0']) {
      const chart = join(folder, 'src', version, 'shop');
      await mkdir(join(chart, 'templates'), { recursive: true });
      await writeFile(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: shop\nversion: ${version}\ndescription: A shop\n`);
      await writeFile(join(chart, 'values.yaml'), 'who: chart\n');
      await writeFile(
        join(chart, 'templates', 'a.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-shop"}\ndata: {who: {{ .Values.who | quote }}}\n',
      );
      await run('package', chart, '--destination', folder);
      await run('push', join(folder, `shop-${version}.tgz`), `oci://${registry.host}/charts`, '--plain-http');
    }
    await run('repo', 'index', folder);
    charts = await startStubServer((request, response) => {
      readFile(join(folder, (request.url ?? '').slice(1))).then(
        (body) => response.end(body),
        () => response.writeHead(404).end(),
      );
    });
    digest = await registry.push('team/site', '1.0.0', {
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', content: makeTarball({ 'site.yaml': configMap('oci-site') }) }],
      annotations: { 'org.opencontainers.image.authors': 'Ann' },
    });
    fairway = await startFairway({ env: { PATH: [dirname(helm), process.env['PATH'] ?? ''].join(delimiter) } });
    rest = await signInAsAdmin(fairway);
    user = await createArgocdUser(program());
    await succeed('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 1_500_000);

  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await fairway.stop();
    await Promise.all([registry, charts].map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }
  async function fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stdout }).toEqual({ args, code: EXIT_API_ERROR, stdout: '' });
    return stderr.replaceAll(String.raw`\"`, '"');
  }
  const cells = (table: string): string[][] =>
    table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
  const site = (): string => `oci://${front.host}/team/site`;
  const shop = (): string => `${front.host}/charts`;
  const read = (url: string, what: string): string => `/api/v1/repositories/${encodeURIComponent(url)}/${what}`;

  it('adds registries that take the password, and no others', async () => {
    const http = '--insecure-oci-force-http';
    expect(
      await fail('repo', 'add', site(), '--type', 'oci', '--name', 'site', '--username', 'robot', '--password', 'wrong', http),
    ).toMatch(/error testing repository connectivity: GET "http:\/\/[^"]+\/v2\/": response status code 401: unauthorized/);
    expect(await succeed('repo', 'add', site(), '--type', 'oci', '--name', 'site', ...PASSWORD, http)).toBe(
      `Repository '${site()}' added\n`,
    );
    expect(await fail('repo', 'add', site().replace('site', 'x'), '--type', 'helm', '--name', 'x', '--enable-oci', http)).toContain(
      'OCI Helm repository URL should include hostname and port only',
    );
    expect(await succeed('repo', 'add', shop(), '--type', 'helm', '--name', 'shop', '--enable-oci', ...PASSWORD, http)).toBe(
      `Repository '${shop()}' added\n`,
    );
    expect(await succeed('repo', 'add', charts.url, '--type', 'helm', '--name', 'plain')).toBe(`Repository '${charts.url}' added\n`);
    expect(await fail('repo', 'add', `${charts.url}/nope`, '--type', 'helm', '--name', 'nope')).toContain(
      'error testing repository connectivity: error loading repo index: failed to get index: 404 Not Found',
    );
    const lines = cells(await succeed('repo', 'list')).slice(1);
    expect(lines.map((line) => line.slice(0, 8))).toEqual([
      ['helm', 'shop', shop(), 'true', 'true', 'false', 'false', 'Successful'],
      ['helm', 'plain', charts.url, 'false', 'false', 'false', 'false', 'Successful'],
      ['oci', 'site', site(), 'true', 'false', 'false', 'false', 'Successful'],
    ]);
  });

  it('shows what they are and hold, and nothing of the password', async () => {
    const json = await succeed('repo', 'get', site(), '-o', 'json');
    expect(JSON.parse(json)).toMatchObject({ repo: site(), type: 'oci', name: 'site', connectionState: { status: 'Successful' } });
    expect(`${json}${await succeed('repo', 'list', '-o', 'json')}${fairway.output()}`).not.toContain(registryUser.password);
    expect((await rest('GET', read(site(), 'oci-tags'))).json).toEqual({ tags: ['1.0.0'] });
    expect((await rest('GET', read(charts.url, 'helmcharts'))).json).toEqual({ items: [{ name: 'shop', versions: ['1.1.0', '1.0.0'] }] });
    expect((await rest('GET', read(shop(), 'helmcharts'))).json).toMatchObject({ message: expect.stringContaining('it has no index') });
    const details = { appProject: 'default', appName: 'new', source: { repoURL: shop(), chart: 'shop', targetRevision: '1.x' } };
    expect((await rest('POST', read(shop(), 'appdetails'), details)).json).toMatchObject({
      type: 'Helm',
      helm: { parameters: [{ name: 'who', value: 'chart' }], valueFiles: ['values.yaml'] },
    });
    const artifact = { appProject: 'default', appName: 'new', source: { repoURL: site(), path: '.', targetRevision: '1.0.0' } };
    expect((await rest('POST', read(site(), 'appdetails'), artifact)).json).toEqual({ type: 'Directory' });
  });

  it('keeps what it found out about a repository, until asked to look again', async () => {
    isBroken = true;
    expect(JSON.parse(await succeed('repo', 'get', site(), '-o', 'json'))).toMatchObject({ connectionState: { status: 'Successful' } });
    const looked = JSON.parse(await succeed('repo', 'get', site(), '-o', 'json', '--refresh', 'hard')) as object;
    expect(looked).toMatchObject({
      connectionState: { status: 'Failed', message: expect.stringMatching(/^Unable to connect to repository: .*response status code 500/) },
    });
    const lines = cells(await succeed('repo', 'list')).slice(1);
    expect(lines.find((line) => line[1] === 'site')?.[7]).toBe('Failed');
    isBroken = false;
    expect(JSON.parse(await succeed('repo', 'get', site(), '-o', 'json'))).toMatchObject({ connectionState: { status: 'Failed' } });
    await succeed('repo', 'list', '--refresh', 'hard');
    expect(JSON.parse(await succeed('repo', 'get', site(), '-o', 'json'))).toMatchObject({ connectionState: { status: 'Successful' } });
  });

  it('deploys an artifact of a registry', async () => {
    expect(await succeed('app', 'create', 'oci-site', '--repo', site(), '--path', '.', '--revision', '1.x', ...DESTINATION)).toContain(
      "application 'oci-site' created",
    );
    await succeed('app', 'sync', 'oci-site');
    await succeed('app', 'wait', 'oci-site', '--timeout', '60');
    const app = JSON.parse(await succeed('app', 'get', 'oci-site', '-o', 'json')) as { status: { sync: object; history: object[] } };
    expect(app.status.sync).toMatchObject({ status: 'Synced', revision: digest });
    expect(await succeed('app', 'manifests', 'oci-site')).toContain('name: oci-site');
    expect(await succeed('app', 'history', 'oci-site')).toContain('1.x');
    const metadata = await rest('GET', `/api/v1/applications/oci-site/revisions/${digest}/ocimetadata`);
    expect(metadata.json).toEqual({ authors: 'Ann' });
    expect(await fail('app', 'create', 'oci-none', '--repo', site(), '--path', '.', '--revision', 'nope', ...DESTINATION)).toContain(
      'failed to resolve revision "nope": cannot get digest for revision nope: ',
    );
  });

  it('deploys charts of a registry and of a Helm repository', async () => {
    for (const [name, repository] of [
      ['oci-chart', shop()],
      ['plain-chart', charts.url],
    ] as const) {
      const chart = ['--helm-chart', 'shop', '--revision', '~1.0', '--helm-set', 'who=somebody'];
      await succeed('app', 'create', name, '--repo', repository, ...chart, ...DESTINATION);
      await succeed('app', 'sync', name);
      await succeed('app', 'wait', name, '--timeout', '60');
      const app = JSON.parse(await succeed('app', 'get', name, '-o', 'json')) as { status: { sync: object } };
      expect(app.status.sync).toMatchObject({ status: 'Synced', revision: '1.0.0' });
      expect(await succeed('app', 'manifests', name)).toContain('who: somebody');
      const metadata = await rest('GET', `/api/v1/applications/${name}/revisions/1.0.0/chartdetails`);
      expect(metadata.json).toEqual({ description: 'A shop' });
    }
    expect(
      await fail('app', 'create', 'oci-none', '--repo', shop(), '--helm-chart', 'shop', '--revision', '9.9.9', ...DESTINATION),
    ).toContain('error fetching chart: failed to fetch chart: ');
    const pattern = ['--helm-chart', 'shop', '--revision', '1.0.0', '--values', 'env/*.yaml'];
    await succeed('app', 'create', 'oci-pattern', '--repo', shop(), ...pattern, ...DESTINATION);
    const waiting = JSON.parse(await succeed('app', 'get', 'oci-pattern', '-o', 'json', '--refresh')) as {
      status: { conditions: object[] };
    };
    expect(waiting.status.conditions).toMatchObject([
      { type: 'ComparisonError', message: expect.stringContaining('values file glob "env/*.yaml" matched no files') },
    ]);
    expect((await rest('GET', '/api/v1/applications/oci-site/revisions/1/chartdetails')).json).toMatchObject({
      message: 'no chart found for application: oci-site',
    });
  });

  it('keeps a password for a whole registry', async () => {
    expect(await succeed('repo', 'rm', shop())).toBe(`Repository '${shop()}' removed\n`);
    const added = await succeed('repocreds', 'add', front.host, '--type', 'helm', '--enable-oci', '--insecure-oci-force-http', ...PASSWORD);
    expect(added).toBe(`Repository credentials for '${front.host}' added\n`);
    await succeed('app', 'get', 'oci-chart', '--hard-refresh');
    await succeed('repo', 'add', shop(), '--type', 'helm', '--name', 'shop', '--enable-oci');
    const [line] = cells(await succeed('repo', 'list')).filter((each) => each[1] === 'shop');
    expect(line?.slice(0, 8)).toEqual(['helm', 'shop', shop(), expect.any(String), 'true', 'false', 'inherited', 'Successful']);
  });

  it('removes them', async () => {
    for (const url of [site(), shop(), charts.url]) expect(await succeed('repo', 'rm', url)).toBe(`Repository '${url}' removed\n`);
    expect(await succeed('repo', 'list', '-o', 'url')).toBe('');
    expect(await fail('repo', 'get', site())).toContain('code = PermissionDenied desc = permission denied');
  });
});
