import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess } from '../../src/sources/index.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const authorization = `Basic ${Buffer.from('robot:pa55word').toString('base64')}`;

describeWithTool('helm', 'a chart of a Helm repository', (helm) => {
  let folder: string;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'charts-'));
    const run = promisify(execFile);
    for (const version of ['1.0.0', '1.2.0', '2.0.0-rc.1']) {
      const chart = join(folder, 'src', version, 'shop');
      await mkdir(join(chart, 'templates'), { recursive: true });
      await writeFile(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: shop\nversion: ${version}\n`);
      await writeFile(join(chart, 'values.yaml'), 'who: chart\n');
      const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n';
      await writeFile(
        join(chart, 'templates', 'a.yaml'),
        `${map}data: {who: {{ .Values.who | quote }}, version: {{ .Chart.Version | quote }}}\n`,
      );
      await run(helm(), ['package', chart, '--destination', folder], { env: { HOME: folder, PATH: '' } });
    }
    await run(helm(), ['repo', 'index', folder], { env: { HOME: folder, PATH: '' } });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  /** Serves the folder, with an ETag on the index. */
  const serve: RequestListener = (request, response) => {
    const name = (request.url ?? '').replace(/^\/charts\//, '');
    if (name === 'index.yaml' && request.headers['if-none-match'] === '"one"') return void response.writeHead(304).end();
    readFile(join(folder, name)).then(
      (body) => response.writeHead(200, { etag: '"one"' }).end(body),
      () => response.writeHead(404).end(),
    );
  };
  async function start(listener: RequestListener = serve, access: Partial<RepositoryAccess> = {}) {
    const server: StubServer = await startStubServer(listener);
    opened.push(server);
    const url = `${server.url}/charts`;
    const test: TestSources = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', helm: helm() },
      access: [{ url, type: 'helm', owner: 'repo', username: new Sealed('robot'), password: new Sealed('pa55word'), ...access }],
    });
    opened.push(test);
    const source = (targetRevision: string, more: object = {}) => ({ repoURL: url, chart: 'shop', targetRevision, ...more });
    return { server, test, url, source };
  }

  it('is rendered at the version that a range stands for, and fetched once', async () => {
    const { server, test, source } = await start();
    const { revision, sourceType, objects } = await test.render(source('1.x', { helm: { valuesObject: { who: 'me' } } }));
    expect({ revision, sourceType }).toEqual({ revision: '1.2.0', sourceType: 'Helm' });
    expect(objects[0]).toMatchObject({ metadata: { name: 'web' }, data: { who: 'me', version: '1.2.0' } });
    const paths = (): string[] => server.requests.map(({ url }) => url ?? '');
    expect(paths()).toEqual(['/charts/index.yaml', '/charts/shop-1.2.0.tgz']);
    expect((await test.render(source('1.2.0'))).objects[0]).toMatchObject({ data: { who: 'chart' } });
    expect(await test.names(source('1.2.0', { ref: 'shop' }))).toEqual(['web']);
    expect((await test.render(source('>=2.0.0-0'))).revision).toBe('2.0.0-rc.1');
    expect(paths().filter((path) => path.endsWith('1.2.0.tgz'))).toHaveLength(1);
    expect(server.requests.every(({ headers }) => headers.authorization === authorization)).toBe(true);
  });

  it('that is not there is named', async () => {
    const { test, source } = await start();
    await expect(test.render(source('9.x'))).rejects.toThrow('invalid revision: version matching constraint not found in 3 tags');
    await expect(test.render(source('latest'))).rejects.toThrow('improper constraint: latest');
    await expect(test.render({ ...source('1.0.0'), chart: 'nope' })).rejects.toThrow("chart 'nope' not found in index");
    await expect(test.render(source('3.0.0'))).rejects.toThrow('error fetching chart: failed to fetch chart: ');
  });

  it('comes from a repository that can be tested', async () => {
    const { test, url } = await start();
    await test.sources.testRepository({ url, type: 'helm', owner: '' });
    await expect(test.sources.testRepository({ url: `${url}/nope`, type: 'helm', owner: '' })).rejects.toThrow(
      'error testing repository connectivity: error loading repo index: failed to get index: 404 Not Found',
    );
  });

  it('CRED-05 CRED-06: credentials stay with their host', async () => {
    const other = await startStubServer(serve);
    opened.push(other);
    const index = (await readFile(join(folder, 'index.yaml'), 'utf8')).replaceAll(/- (shop-\S+\.tgz)/g, `- ${other.url}/charts/$1`);
    const listener: RequestListener = (request, response) =>
      void (request.url?.endsWith('index.yaml') ? response.end(index) : response.writeHead(404).end());
    const away = await start(listener);
    expect((await away.test.render(away.source('1.0.0'))).revision).toBe('1.0.0');
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    const passed = await start(listener);
    await passed.test.render(passed.source('1.0.0', { helm: { passCredentials: true } }));
    expect(other.requests.at(-1)?.headers.authorization).toBe(authorization);
    const redirecting = await start((request, response) => void response.writeHead(302, { location: `${other.url}${request.url}` }).end());
    await redirecting.test.render(redirecting.source('1.0.0'));
    expect(other.requests.slice(2).every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it.each([
    ['entries: null\n', 'it has no entries'],
    ['entries: {shop: [{version: 1.0.0}, null, 5, {urls: x}]}\n', 'not found in'],
    ['entries: {shop: [{version: 1.0.0, urls: ["file:///etc/passwd"]}]}\n', 'must be http or https'],
    ['[', 'error converting YAML to JSON'],
  ])('HELM-09: an index %j is an error and no crash', async (index, message) => {
    const { test, source } = await start((_request, response) => void response.end(index));
    await expect(test.render(source('1.0.0'))).rejects.toThrow(message);
  });

  it('HELM-01 HELM-02: what is too large, or no archive, is an error', async () => {
    const index = await readFile(join(folder, 'index.yaml'));
    const { test, source } = await start(
      (request, response) => void response.end(request.url?.endsWith('index.yaml') ? index : 'no archive'),
    );
    await expect(test.render(source('1.0.0'))).rejects.toThrow('the archive cannot be used');
    const endless = await start((_request, response) => {
      const write = (): void => void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
      write();
    });
    const small = await openTestSources({ limits: { indexBytesMax: 1_000_000 } });
    opened.push(small);
    await expect(small.render(endless.source('1.x'))).rejects.toThrow('larger than 1000000 bytes');
  });

  it('that fails again and again is not tried again and again, unless somebody asks', async () => {
    let nowMs = 1_000_000;
    const server = await startStubServer((_request, response) => void response.writeHead(500).end());
    opened.push(server);
    const tools = { searchPath: process.env['PATH'] ?? '', helm: helm() };
    const test = await openTestSources({ tools, clock: { nowMs: () => nowMs } });
    opened.push(test);
    const source = { repoURL: server.url, chart: 'shop', targetRevision: '1.x' };
    const resolve = (fresh = false) => test.sources.resolve(source, { project: 'default', fresh }).catch(String);
    for (let count = 0; count < 5; count += 1) expect(await resolve()).toContain('failed to get index: 500');
    expect(server.requests).toHaveLength(2);
    nowMs += 2_000;
    await resolve();
    expect(server.requests).toHaveLength(3);
    await resolve(true);
    expect(server.requests).toHaveLength(4);
    const application = { name: 'web', namespace: 'argocd', project: 'default' };
    const render = (more = {}) =>
      test.sources
        .render({ source, revision: '1.0.0', application, destinationNamespace: 'x', ...more })
        .catch((error: unknown) => (error as Error).message);
    for (let count = 0; count < 3; count += 1) expect(await render()).toMatch(/^error loading repo index/);
    const before = server.requests.length;
    expect(await render()).toMatch(/^Manifest generation error \(cached\): error loading repo index: /);
    expect(server.requests).toHaveLength(before);
    expect(await render({ fresh: true })).toMatch(/^error loading repo index/);
    // Another revision, or other values, are something else.
    expect(await render({ revision: '1.0.1' })).toMatch(/^error loading repo index/);
    nowMs += 10 * 60_000;
    expect(await render()).toMatch(/^error loading repo index/);
  });

  it('is fetched again by a hard refresh', async () => {
    const { server, test, source } = await start();
    const asked = (): number => server.requests.filter(({ url }) => url?.endsWith('.tgz')).length;
    await test.render(source('1.0.0'));
    await test.render(source('1.0.0'));
    expect(asked()).toBe(1);
    expect((await test.render(source('1.0.0'), { hard: true })).objects).toHaveLength(1);
    expect(asked()).toBe(2);
  });

  it('HELM-02: may come compressed, within its limit, and through a proxy', async () => {
    const compressing = await start((request, response) => {
      if (!request.url?.endsWith('index.yaml')) return serve(request, response);
      return void readFile(join(folder, 'index.yaml')).then((index) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(index)),
      );
    });
    expect((await compressing.test.render(compressing.source('1.x'))).revision).toBe('1.2.0');
    const bomb = await start(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(130 << 20))),
    );
    await expect(bomb.test.render(bomb.source('1.x'))).rejects.toThrow('cannot be unpacked, or is larger than');
    const proxied: string[] = [];
    const proxy = await startStubServer((request, response) => {
      proxied.push(`${request.url} ${request.headers['proxy-authorization']}`);
      readFile(join(folder, (request.url ?? '').replace(/^.*\//, ''))).then(
        (body) => response.end(body),
        () => response.writeHead(404).end(),
      );
    });
    opened.push(proxy);
    const through = await start(serve, { proxy: proxy.url.replace('://', '://user:pass@'), noProxy: 'other.example.com' });
    await through.test.render(through.source('1.0.0'));
    expect(through.server.requests).toEqual([]);
    expect(proxied).toEqual(
      [`${through.url}/index.yaml`, `${through.url}/shop-1.0.0.tgz`].map(
        (url) => `${url} Basic ${Buffer.from('user:pass').toString('base64')}`,
      ),
    );
  });
});
