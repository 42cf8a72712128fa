import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { SourcesOptions } from '../../src/sources/index.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { makeTarball } from '../support/make-archive.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { startStubServer, type StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const chart = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';

describeWithTool('helm', 'what fetches charts and values', (helm) => {
  const opened: { close(): Promise<void> }[] = [];
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attacks-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  async function open(options: Partial<SourcesOptions> & Parameters<typeof openTestSources>[0] = {}): Promise<TestSources> {
    const test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', helm: helm() }, ...options });
    opened.push(test);
    return test;
  }
  async function stub(answer: Parameters<typeof startStubServer>[0]): Promise<StubServer> {
    const server = await startStubServer(answer);
    opened.push(server);
    return server;
  }

  /** A server that does as told with whoever connects. */
  async function listen(serve: (socket: Socket) => void): Promise<string> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      // Whoever connects may leave without a word.
      socket.on('error', () => undefined);
      serve(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({
      async close() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('SSRF-01: what nobody registered is neither on this machine nor on the local link, however it is written', async () => {
    const inside = await stub((_request, response) => void response.end('entries: {}\nsecret: inside'));
    const { port } = new URL(inside.url);
    const test = await open({ allowFileRepositories: false });
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', 'x.localhost'];
    for (const host of hosts) {
      const url = `http://${host}:${port}`;
      const said = await test.render({ repoURL: url, chart: 'shop', targetRevision: '1.x' }).catch(String);
      expect({ host, said }).toEqual({ host, said: expect.stringMatching(/not allowed here|ENOTFOUND|EAI_AGAIN/) });
      const oci = await test.render({ repoURL: `oci://${host}:${port}/x`, path: '.', targetRevision: '1' }).catch(String);
      expect({ host, oci }).toEqual({ host, oci: expect.stringMatching(/not allowed here|ENOTFOUND|EAI_AGAIN|is refused/) });
    }
    for (const host of ['169.254.169.254', '2852039166', '[fe80::1]', '[fd00:ec2::254]'])
      await expect(test.render({ repoURL: `http://${host}/latest`, chart: 'x', targetRevision: '1.x' })).rejects.toThrow(
        'of the local link',
      );
    expect(inside.requests).toEqual([]);
    // Who registers a repository knows where it is.
    const registered = await open({ allowFileRepositories: false, access: [{ url: inside.url, type: 'helm', owner: 'repo' }] });
    await expect(registered.render({ repoURL: inside.url, chart: 'shop', targetRevision: '1.x' })).rejects.toThrow(
      "chart 'shop' not found in index",
    );
    const linkLocal = { url: 'http://169.254.169.254', type: 'helm', owner: 'repo' } as const;
    await expect(registered.sources.testRepository(linkLocal)).rejects.toThrow('of the local link');
  });

  it('SSRF-02: who tests an address learns nothing of what answers there, and not late', { timeout: 60_000 }, async () => {
    const silent = await listen(() => undefined);
    const talkative = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9 planted-banner\r\n'));
    const cutting = await listen((socket) => socket.destroy());
    const test = await open({ limits: { toolMs: 3_000, listRefsMs: 3_000 } });
    const says = async (url: string): Promise<string[]> => {
      const accesses = [
        { url, type: 'helm', owner: 'x' },
        { url: url.replace('http:', 'https:'), type: 'helm', owner: 'x' },
        { url: url.replace('http:', 'oci:'), type: 'oci', owner: 'x', insecureOCIForceHttp: true },
        { url: url.replace('http:', 'oci:'), type: 'oci', owner: 'x' },
        { url: `${url}/a.git`, type: 'git', owner: 'x' },
        { url: `${url.replace('http:', 'https:')}/a.git`, type: 'git', owner: 'x' },
        { url: `${url.replace('http:', 'ssh:')}/a.git`, type: 'git', owner: 'x' },
      ] as const;
      return await Promise.all(
        accesses.map((access) =>
          test.sources.testRepository(access).then(
            () => 'fine',
            (error: unknown) => String(error),
          ),
        ),
      );
    };
    const nothing = 'the server does not answer, or not as a server of repositories does';
    const git = `unable to ls-remote HEAD on repository: ${nothing}`;
    const expected = [nothing, nothing, nothing, nothing, git, git, git].map(
      (said) => expect.stringMatching(new RegExp(`error testing repository connectivity: ${said}$`)) as string,
    );
    for (const url of [silent, talkative, cutting, 'http://127.0.0.1:1'])
      expect({ url, says: await says(url) }).toEqual({ url, says: expected });
    // Who may read the log is told.
    expect(test.logged()).toMatch(/a repository could not be reached .*(?:refused|ECONNREFUSED)/);
    // What answers as a server of repositories may say why it refuses, and no more.
    const web = await stub((_request, response) => void response.writeHead(403).end('planted-banner'));
    expect((await says(web.url)).join()).not.toContain('planted-banner');
  });

  it('SSRF-02: what is closed is told no sooner than what is silent', { timeout: 60_000 }, async () => {
    const silent = await listen(() => undefined);
    const cutting = await listen((socket) => socket.destroy());
    const waited: number[] = [];
    const limits = { toolMs: 60_000, listRefsMs: 1_000, testMs: 2_000 };
    const test = await open({ limits, allowFileRepositories: false });
    const beganMs = Date.now();
    const tries = [silent, cutting, 'http://127.0.0.1:1'].flatMap((url) => [
      { url, type: 'helm', owner: 'x' } as const,
      { url: url.replace('http:', 'oci:'), type: 'oci', owner: 'x', insecureOCIForceHttp: true } as const,
      { url: `${url}/a.git`, type: 'git', owner: 'x' } as const,
      { url: `${url.replace('http:', 'ssh:')}/a.git`, type: 'git', owner: 'x' } as const,
    ]);
    const said = await Promise.all(
      tries.map(async (access) => {
        const error = await test.sources.testRepository(access).then(() => 'fine', String);
        waited.push(Date.now() - beganMs);
        return error.replace('unable to ls-remote HEAD on repository: ', '');
      }),
    );
    expect(new Set(said)).toEqual(
      new Set(['ApiError: error testing repository connectivity: the server does not answer, or not as a server of repositories does']),
    );
    // A timer may be a little early by another clock.
    expect(Math.min(...waited)).toBeGreaterThan(1_900);
    // A server that has been a repository is no secret: where it is gone, that is told at once.
    const known = await stub((_request, response) => void response.end('entries: {}'));
    const access = { url: known.url, type: 'helm', owner: 'x' } as const;
    const slow = await open({ limits: { testMs: 50_000 }, allowFileRepositories: false });
    await slow.sources.testRepository(access);
    await known.close();
    await expect(slow.sources.testRepository(access)).rejects.toThrow('the server does not answer');
  });

  it('PATH-12: a chart cannot read what another was unpacked to, even where it knows the place', async () => {
    const index = 'entries: {other: [{name: other, version: 1.0.0, urls: [other.tgz]}]}\n';
    const other = makeTarball({
      'other/Chart.yaml': 'apiVersion: v2\nname: other\nversion: 1.0.0\n',
      'other/values.yaml': 'planted: secret-of-another\n',
    });
    const server = await stub((request, response) => void response.end(request.url === '/index.yaml' ? index : other));
    const test = await open({ access: [{ url: server.url, type: 'helm', owner: 'team-b' }] });
    await test.render({ repoURL: server.url, chart: 'other', targetRevision: '1.0.0' });
    const trees = join(test.folder, 'trees');
    const found = (await readdir(trees, { recursive: true })).find((name) => name.endsWith('values.yaml')) ?? '';
    const place = join(trees, found);
    expect(existsSync(place)).toBe(true);
    // Nobody else on the machine lists or reads it.
    expect((await stat(trees)).mode & 0o077).toBe(0);
    const ways = [place, `../../${found}`, `../../../trees/${found}`, `/../../${found}`];
    const repository = await createGitRepository({
      'Chart.yaml': chart,
      'templates/a.yaml': `${configMap('a')}\n# ${ways.map((way) => `{{ .Files.Get ${JSON.stringify(way)} }}`).join(' ')}\n`,
    });
    opened.push({ close: () => repository.remove() });
    const plain = await test.render({ repoURL: repository.url, path: '.' });
    expect(JSON.stringify(plain.objects)).not.toContain('secret-of-another');
    for (const way of ways)
      for (const helm of [{ valueFiles: [way] }, { fileParameters: [{ name: 'x', path: way }] }]) {
        const said = await test.render({ repoURL: repository.url, path: '.', helm }).then(({ objects }) => JSON.stringify(objects), String);
        expect({ way, said }).toEqual({
          way,
          said: expect.stringMatching(/outside repository root|no such file|not found|does not exist/),
        });
        expect(said).not.toContain('secret-of-another');
      }
    for (const link of [place, `../../${found}`]) {
      const leading = await createGitRepository({ 'Chart.yaml': chart, 'values.yaml': { link } });
      opened.push({ close: () => leading.remove() });
      await expect(test.render({ repoURL: leading.url, path: '.' })).rejects.toThrow('out-of-bounds symlinks');
    }
    const asDependency = await createGitRepository({
      'Chart.yaml': `${chart}dependencies: [{name: other, version: 1.0.0, repository: "file://${dirname(place)}"}]\n`,
    });
    opened.push({ close: () => asDependency.remove() });
    const said = await test.render({ repoURL: asDependency.url, path: '.' }).then(({ objects }) => JSON.stringify(objects), String);
    expect(said).toMatch(/Error/);
    expect(said).not.toContain('secret-of-another');
  });

  it('SSRF-03 CRED-05: no redirect leads to this machine, to the local link, away from TLS, or on and on', async () => {
    const inside = await stub((_request, response) => void response.end('entries: {}'));
    let location = '';
    // The world outside, as far as a test has one: everything goes through here.
    const world = await stub((_request, response) => void response.writeHead(302, { location }).end());
    const url = 'http://charts.example.com/stable';
    const credentials = { username: new Sealed('robot'), password: new Sealed('planted-password') };
    const test = await open({ access: [{ url, type: 'helm', owner: 'repo', proxy: world.url, ...credentials }] });
    const render = () => test.render({ repoURL: url, chart: 'shop', targetRevision: '1.x' }).catch(String);
    for (const target of [inside.url, inside.url.replace('127.0.0.1', '2130706433'), 'http://169.254.169.254/', 'http://[::1]/']) {
      location = target;
      expect({ target, said: await render() }).toEqual({ target, said: expect.stringContaining('not allowed') });
    }
    location = 'ftp://charts.example.com/';
    expect(await render()).toContain('must be http or https');
    location = '/again';
    const before = world.requests.length;
    expect(await render()).toContain('stopped after 5 redirects');
    expect(world.requests.length - before).toBe(6);
    location = 'http://other.example.com/index.yaml';
    await render();
    const others = world.requests.filter(({ url: asked }) => asked?.includes('other.example.com'));
    expect(others.length).toBeGreaterThan(0);
    expect(others.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    expect(inside.requests).toEqual([]);
  });

  it('HELM-11: nothing that a chart or its folder brings along is run', async () => {
    const marker = join(folder, 'ran');
    await mkdir(folder, { recursive: true });
    const script = `#!/bin/sh\ntouch ${marker}\n`;
    const plugin = `name: evil\nversion: 1.0.0\nusage: x\ncommand: "touch ${marker}"\nhooks: {install: "touch ${marker}"}\ndownloaders: [{command: "touch ${marker}", protocols: ["https", "http", "evil"]}]\n`;
    const repository = await createGitRepository({
      'Chart.yaml': `${chart}dependencies: [{name: lib, version: 1.0.0, repository: "evil://x"}]\n`,
      'templates/a.yaml': configMap('a'),
      'plugins/evil/plugin.yaml': plugin,
      '.local/share/helm/plugins/evil/plugin.yaml': plugin,
      'plain/post-renderer': script,
      'plain/Chart.yaml': chart,
      'plain/templates/a.yaml': configMap('plain'),
      'plain/plugins/evil/plugin.yaml': plugin,
      'plain/helm': script,
    });
    for (const program of ['plain/post-renderer', 'plain/helm']) await chmod(join(repository.folder, program), 0o755);
    await repository.commit({});
    opened.push({ close: () => repository.remove() });
    const test = await open();
    await expect(test.render({ repoURL: repository.url, path: '.' })).rejects.toThrow('neither a name nor an http');
    // It would be run in the folder of the chart.
    const program = join(repository.folder, 'plain/post-renderer');
    for (const word of ['--post-renderer=./post-renderer', `--post-renderer=${program}`, '--post-renderer', './post-renderer', program])
      for (const helmOptions of [
        { releaseName: word },
        { valueFiles: [word] },
        { parameters: [{ name: word, value: word }] },
        { apiVersions: [word] },
        { namespace: word },
      ]) {
        const render = test.render({ repoURL: repository.url, path: 'plain', helm: helmOptions });
        const said = await render.then(({ objects }) => objects.map(({ metadata }) => metadata.name).join(), String);
        expect({ word, helmOptions, said }).toEqual({ word, helmOptions, said: expect.stringMatching(/^plain$|^ApiError: /) });
      }
    await expect(test.render({ repoURL: repository.url, path: 'plain', helm: { valueFiles: ['evil://x/values.yaml'] } })).rejects.toThrow(
      "scheme 'evil'",
    );
    expect(await test.names({ repoURL: repository.url, path: 'plain' })).toEqual(['plain']);
    expect(existsSync(marker)).toBe(false);
  });

  it('CRED-11: addresses that differ only in their letters are two repositories', async () => {
    const root = await mkdtemp(join(folder, 'git-'));
    for (const name of ['Shop', 'shop']) {
      const repository = await createGitRepository({ 'a.yaml': configMap(`from-${name}`) });
      await repository.git('clone', '--quiet', '--bare', repository.folder, join(root, name));
      await repository.remove();
    }
    const server = await startGitHttpServer({ root });
    opened.push(server);
    const test = await open();
    const names = (name: string): Promise<string[]> => test.names({ repoURL: `${server.url}/${name}`, path: '.' });
    expect([await names('Shop'), await names('shop'), await names('Shop')]).toEqual([['from-Shop'], ['from-shop'], ['from-Shop']]);
    const index = (version: string): string => `entries: {shop: [{version: ${version}, urls: [x.tgz]}]}\n`;
    const charts = await stub((request, response) => void response.end(index(request.url?.startsWith('/A/') === true ? '1.0.0' : '2.0.0')));
    const resolve = async (path: string) =>
      (await test.sources.resolve({ repoURL: `${charts.url}/${path}`, chart: 'shop', targetRevision: '*' }, { project: 'default' }))
        .revision;
    expect([await resolve('A'), await resolve('a')]).toEqual(['1.0.0', '2.0.0']);
  });
});
