import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess, SourceLimits } from '../../src/sources/index.ts';
import { configMap } from '../support/git-repository.ts';
import { makeTar, makeTarball, type ArchiveEntry } from '../support/make-archive.ts';
import { digestOf, OCI_MANIFEST, registryUser, startOciRegistry } from '../support/oci-registry.ts';
import type { Misbehave, OciRegistry, PushedImage } from '../support/oci-registry.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const TGZ = 'application/vnd.oci.image.layer.v1.tar+gzip';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const CHART_CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const secret = 'planted-password';
const credentials = { username: new Sealed(registryUser.username), password: new Sealed(secret) };

describeWithTool('registry', 'a registry that means no good', () => {
  let open: OciRegistry;
  let basic: OciRegistry;
  const opened: { close(): Promise<void> }[] = [];
  let images = 0;

  beforeAll(async () => {
    [open, basic] = await Promise.all([startOciRegistry(), startOciRegistry({ auth: 'basic' })]);
    for (const registry of [open, basic])
      await registry.push('team/web', '1.0.0', { layers: [{ mediaType: TGZ, content: makeTarball({ 'a.yaml': configMap('a') }) }] });
  }, 1_500_000);
  afterAll(async () => {
    await Promise.all([open, basic].map((each) => each.close()));
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  async function sourcesFor(access: Partial<RepositoryAccess> & { url: string }, limits: Partial<SourceLimits> = {}): Promise<TestSources> {
    const test = await openTestSources({ limits, access: [{ type: 'oci', owner: 'repo', insecureOCIForceHttp: true, ...access }] });
    opened.push(test);
    return test;
  }
  /** What comes of an image; the text of the failure where nothing does. */
  async function outcome(image: PushedImage, limits: Partial<SourceLimits> = {}): Promise<string> {
    images += 1;
    const repository = `attack/image-${images}`;
    await open.push(repository, '1.0.0', image);
    const url = `oci://${open.host}/${repository}`;
    const test = await sourcesFor({ url }, limits);
    const rendered = test.names({ repoURL: url, path: '.', targetRevision: '1.0.0' });
    return await rendered.then((names) => `rendered ${names.join(' ')}`, String);
  }
  const layered = (...entries: ArchiveEntry[]): PushedImage => ({ layers: [{ mediaType: TGZ, content: makeTarball(entries) }] });
  /** Asks a registry that answers as told; the text of the failure. */
  async function ask(misbehave: Misbehave, access: Partial<RepositoryAccess> = {}, limits: Partial<SourceLimits> = {}, registry = open) {
    const front = await registry.front({ misbehave });
    const url = `oci://${front.host}/team/web`;
    const test = await sourcesFor({ url, ...access }, limits);
    const rendered = test.names({ repoURL: url, path: '.', targetRevision: '1.0.0' });
    const said = await rendered.then((names) => `rendered ${names.join(' ')}`, String);
    expect(`${said}${test.logged()}`).not.toContain(secret);
    return { said, front, test, url };
  }
  const answering =
    (matches: string, answer: (response: ServerResponse, request: IncomingMessage) => void): Misbehave =>
    (request, response) => {
      if (!request.url?.includes(matches)) return undefined;
      answer(response, request);
      return 'done';
    };

  it('OCI-01: layers of other types, several of them, and lists of images are refused by name', async () => {
    const layer = { mediaType: TGZ, content: makeTarball({ 'a.yaml': configMap('a') }) };
    const odd = { mediaType: 'application/vnd.example.tar+gzip', content: Buffer.from('x') };
    expect(await outcome({ layers: [layer, odd] })).toContain(
      'oci layer media type application/vnd.example.tar+gzip is not in the list of allowed media types',
    );
    expect(await outcome({ layers: [layer, { ...layer, content: makeTarball({ 'b.yaml': configMap('b') }) }] })).toContain(
      'expected only a single oci content layer, got 2',
    );
    expect(await outcome({ layers: [] })).toContain('expected only a single oci content layer, got 0');
    expect(await outcome({ layers: Array.from({ length: 11 }, () => layer) })).toContain('expected no more than 10 oci layers, got 11');
    const { said } = await ask(
      answering('/manifests/', (response) => {
        const body = JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [] });
        response.writeHead(200, { 'content-type': INDEX }).end(body);
      }),
    );
    expect(said).toContain(`expected the manifest of an image, got "${INDEX}"`);
    // Of a chart only the layer of the chart counts.
    const chart = { mediaType: CHART_LAYER, content: makeTarball({ 'c/Chart.yaml': 'name: c', 'c/a.txt': 'x' }) };
    const provenance = { mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov', content: Buffer.from('p') };
    expect(await outcome({ layers: [chart, provenance], configType: CHART_CONFIG })).not.toContain('oci layer');
  });

  it.each<[string, ArchiveEntry[], string]>([
    ['a step back', [{ path: '../x', content: 'x' }], 'illegal filepath in archive'],
    ['an absolute path', [{ path: '/x', content: 'x' }], 'illegal filepath in archive'],
    ['a hidden step back', [{ path: 'a/../../x', content: 'x' }], 'illegal filepath in archive'],
    ['a drive', [{ path: 'C:\\x', content: 'x' }], 'illegal filepath in archive'],
    ['a link out', [{ path: 'a', type: '2', target: '/etc/passwd' }], 'illegal filepath in symlink'],
    ['a link up', [{ path: 'a/b', type: '2', target: '../../x' }], 'illegal filepath in symlink'],
    [
      'a link through a link',
      [
        { path: 'a/b', type: '2', target: '.' },
        { path: 'c', type: '2', target: 'a/b/../../../x' },
      ],
      'out of',
    ],
    [
      'a write through a link',
      [
        { path: 'a', type: '2', target: '.' },
        { path: 'a/b', content: 'x' },
      ],
      'below a symbolic link',
    ],
    [
      'a link over a folder',
      [
        { path: 'a/b', content: 'x' },
        { path: 'a', type: '2', target: '.' },
      ],
      'below a symbolic link',
    ],
    [
      'a link over a folder in other letters',
      [
        { path: 'a/b', content: 'x' },
        { path: 'A', type: '2', target: '.' },
      ],
      'below a symbolic link',
    ],
    ['a hard link', [{ path: 'a', type: '1', target: '/etc/passwd' }], 'neither a file nor a folder'],
    ['a device', [{ path: 'a', type: '3' }], 'neither a file nor a folder'],
    ['a pipe', [{ path: 'a', type: '6' }], 'neither a file nor a folder'],
    [
      'twins',
      [
        { path: 'a', content: '1' },
        { path: 'A', content: '2' },
      ],
      'is there twice',
    ],
    [
      'twins of one letter',
      [
        { path: '\u00e9', content: '1' },
        { path: 'e\u0301', content: '2' },
      ],
      'is there twice',
    ],
  ])('OCI-02 ARCH-01: a layer with %s is refused', async (_what, entries, reason) => {
    const said = await outcome(layered({ path: 'ok.yaml', content: configMap('ok') }, ...entries));
    expect(said).toMatch(/^Error|^ApiError/);
    expect(said).toMatch(reason === 'out of' ? /out-of-bounds symlinks|illegal filepath/ : new RegExp(reason));
    expect(existsSync(join(tmpdir(), 'x'))).toBe(false);
  });

  it('OCI-02 ARCH-02: layers that are too large, have too many entries or sizes that lie are refused', async () => {
    const bomb = gzipSync(makeTar([{ path: 'zeros', content: Buffer.alloc(5_000_000) }]));
    expect(await outcome({ layers: [{ mediaType: TGZ, content: bomb }] }, { chartBytesMax: 1_000_000 })).toMatch(/larger than allowed/);
    const folders = Array.from({ length: 60 }, (_, index) => ({ path: `d${index}/`, type: '5' }));
    expect(await outcome(layered(...folders), { treeFilesMax: 20 })).toContain('too many entries');
    const files = Array.from({ length: 30 }, (_, index) => ({ path: `f${index}`, content: '' }));
    expect(await outcome(layered(...files), { treeFilesMax: 20 })).toContain('larger than allowed');
    for (const size of ['77777777777', '-0000000001', 'x', '\u0080\u00ff'])
      expect(await outcome(layered({ path: 'a', content: 'x', size }))).toMatch(/ends in the middle of a file|cannot be read/);
    expect(await outcome(layered({ path: 'a', type: 'S', content: 'x' }))).toContain('neither a file nor a folder');
    expect(await outcome(layered({ path: 'pax', type: 'x', content: 'x'.repeat(20_000) }))).toContain(
      'a header of the archive is too long',
    );
    expect(await outcome({ layers: [{ mediaType: TGZ, content: Buffer.from('no archive') }] })).toContain('it is no gzip archive');
    const large = await ask(
      answering('nothing', () => undefined),
      {},
      { chartBytesMax: 10 },
    );
    expect(large.said).toContain('is larger than 10 bytes');
  });

  it('OCI-03: what is not what its digest says is refused', async () => {
    const genuine = makeTarball({ 'a.yaml': configMap('a') });
    const changed = Buffer.from(genuine);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    const forged = await ask(answering('/blobs/', (response) => response.end(changed)));
    expect(forged.said).toContain('the layer that the registry sent is not sha256:');
    const longer = await ask(answering('/blobs/', (response) => response.end(Buffer.concat([genuine, Buffer.alloc(10)]))));
    expect(longer.said).toContain(`larger than ${genuine.length} bytes`);
    const short = await ask(answering('/blobs/', (response) => response.end('')));
    expect(short.said).toContain('the layer that the registry sent is not sha256:');
    const body = JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, config: {}, layers: [] });
    const lying = await ask(
      answering('/manifests/', (response) =>
        response.writeHead(200, { 'docker-content-digest': digestOf(Buffer.from('other')) }).end(body),
      ),
    );
    expect(lying.said).toContain('the manifest that the registry sent is not sha256:');
    // Between finding a tag out and fetching it, the tag moves: what was found out is fetched.
    const moving = await ask(answering('/manifests/sha256:', (response) => response.writeHead(200).end(body)));
    expect(moving.said).toContain('the manifest that the registry sent is not sha256:');
    expect(moving.front.requests.map(({ line }) => line.replace(/sha256:.*/, 'DIGEST'))).toEqual([
      'HEAD /v2/team/web/manifests/1.0.0',
      'GET /v2/team/web/manifests/DIGEST',
    ]);
  });

  it('OCI-05: lists of tags that never end, or lead elsewhere, are given up', async () => {
    const front = await open.front({
      misbehave: answering('/tags/list', (response, { url = '' }) => {
        const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? '0') + 1;
        response.writeHead(200, { link: `</v2/team/web/tags/list?n=1000&page=${page}>; rel="next"` }).end('{"tags":["v1"]}');
      }),
    });
    const url = `oci://${front.host}/team/web`;
    const test = await sourcesFor({ url });
    await expect(test.sources.ociTags(url, { project: 'default' })).rejects.toThrow('more than 500 pages');
    expect(front.requests).toHaveLength(500);
    const many = JSON.stringify({ tags: Array.from({ length: 250_000 }, (_, index) => `v${index}`) });
    const crowd = await ask(
      answering('/tags/list', (response) => response.writeHead(200, { link: '</v2/team/web/tags/list?last=x>; rel="next"' }).end(many)),
    );
    await expect(crowd.test.sources.ociTags(crowd.url, { project: 'default' })).rejects.toThrow('more than 200000 tags');
    const away = await ask(
      answering('/tags/list', (response) =>
        response.writeHead(200, { link: '<http://evil.example/x>; rel="next"' }).end('{"tags":["v1"]}'),
      ),
    );
    await expect(away.test.sources.ociTags(away.url, { project: 'default' })).rejects.toThrow('continues its list of tags elsewhere');
    for (const odd of ['{"tags":{}}', '{"tags":["v1",5,null]}', '{"tags":null}', 'no json']) {
      const answered = await ask(answering('/tags/list', (response) => response.end(odd)));
      const tags = answered.test.sources.ociTags(answered.url, { project: 'default' });
      expect(await tags.catch(String)).toEqual(
        odd.includes('v1') ? ['v1'] : odd.includes('{}') ? expect.stringContaining('no list of tags') : [],
      );
    }
  });

  it('OCI-06: ranges find versions with build data, leave candidates out, and are bounded', async () => {
    for (const tag of ['v1.0.0', '1.1.0_build.3', '1.2.0-rc.1', 'latest'])
      await open.push('team/ranges', tag, { layers: [], annotations: { tag } });
    const url = `oci://${open.host}/team/ranges`;
    const test = await sourcesFor({ url });
    const tagOf = async (targetRevision: string): Promise<string> => {
      const { revision } = await test.sources.resolve({ repoURL: url, path: '.', targetRevision }, { project: 'default' });
      for (const tag of ['v1.0.0', '1.1.0_build.3', '1.2.0-rc.1', 'latest'])
        if ((await test.sources.resolve({ repoURL: url, targetRevision: tag }, { project: 'default' })).revision === revision) return tag;
      return '';
    };
    expect([await tagOf('1.x'), await tagOf('^1.0.0-0'), await tagOf('1.1.0+build.3'), await tagOf('1.0.x'), await tagOf('')]).toEqual([
      '1.1.0_build.3',
      '1.2.0-rc.1',
      '1.1.0_build.3',
      'v1.0.0',
      'latest',
    ]);
    await expect(tagOf('>=1 '.repeat(2_500))).rejects.toThrow('failed to resolve revision');
    await expect(tagOf('../../etc')).rejects.toThrow('is no valid tag');
  });

  it('CRED-05 CRED-07: credentials go neither to other hosts, nor to whom a registry names', async () => {
    const evil = await startStubServer((_request, response) => void response.end('{"token":"t"}'));
    opened.push(evil);
    const elsewhere = evil.url.replace('127.0.0.1', 'localhost');
    const redirected = await ask(
      answering('/blobs/', (response) => response.writeHead(307, { location: `${evil.url}/blob` }).end()),
      credentials,
      {},
      basic,
    );
    expect(redirected.said).toContain('is not sha256:');
    const named = await ask(
      answering('/v2/', (response) =>
        response.writeHead(401, { 'www-authenticate': `Bearer realm="${elsewhere}/token",service="x"` }).end(),
      ),
      credentials,
    );
    expect(named.said).toContain('wants its credentials to be sent to another site, localhost:');
    expect(evil.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    for (const challenge of [
      'Bearer',
      'Bearer realm',
      'Bearer =',
      '=,=',
      'Bearer realm="x',
      'Digest realm="x"',
      'Bearer service="y"',
      'Bearer realm="file:///etc/passwd"',
    ]) {
      const { said } = await ask(
        answering('/v2/', (response) => response.writeHead(401, { 'www-authenticate': challenge }).end()),
        credentials,
      );
      expect(said).toMatch(/the registry (?:asks for credentials, and|names no usable address)/);
    }
    const bare = await ask(
      answering('/v2/', (response) => response.writeHead(401).end()),
      credentials,
    );
    expect(bare.said).toContain('it does not say how it wants to be asked');
  });

  it('CRED-03: no failure shows a password, nor what a server said', async () => {
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const { said } = await ask(
        answering('/v2/', (response, { headers }) =>
          response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end(`you sent ${headers.authorization} inside`),
        ),
        credentials,
      );
      expect(said).toContain(String(status));
      expect(said).not.toContain('inside');
    }
  });
});
