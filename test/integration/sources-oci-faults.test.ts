import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import type { RepositoryAccess, SourceLimits } from '../../src/sources/index.ts';
import { configMap } from '../support/git-repository.ts';
import { makeTarball } from '../support/make-archive.ts';
import { OCI_MANIFEST, registryUser, startOciRegistry, type Misbehave, type OciRegistry } from '../support/oci-registry.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { startTunnelProxy } from '../support/tunnel-proxy.ts';

const TGZ = 'application/vnd.oci.image.layer.v1.tar+gzip';

describeWithTool('registry', 'a registry on a bad day', () => {
  let open: OciRegistry;
  let certificates: string;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    open = await startOciRegistry();
    certificates = await mkdtemp(join(tmpdir(), 'oci-pki-'));
    await promisify(execFile)(await ensureTool('pki'), [certificates]);
    await open.push('team/web', '1.0.0', { layers: [{ mediaType: TGZ, content: makeTarball({ 'a.yaml': configMap('a') }) }] });
  }, 1_500_000);
  afterAll(async () => {
    await open.close();
    await rm(certificates, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  const file = (name: string): Promise<string> => readFile(join(certificates, name), 'utf8');
  async function sourcesFor(
    access: Partial<RepositoryAccess> & { url: string },
    limits: Partial<SourceLimits> = {},
    more = {},
  ): Promise<TestSources> {
    const test = await openTestSources({
      limits,
      access: [{ type: 'oci', owner: 'repo', insecureOCIForceHttp: true, ...access }],
      ...more,
    });
    opened.push(test);
    return test;
  }
  /** Asks a registry that answers as told; the text of the failure. */
  async function ask(misbehave: Misbehave, limits: Partial<SourceLimits> = {}): Promise<{ readonly said: string }> {
    const front = await open.front({ misbehave });
    const url = `oci://${front.host}/team/web`;
    const test = await sourcesFor({ url }, limits);
    const rendered = test.names({ repoURL: url, path: '.', targetRevision: '1.0.0' });
    return { said: await rendered.then((names) => `rendered ${names.join(' ')}`, String) };
  }
  const answering =
    (matches: string, answer: (response: Parameters<Misbehave>[1]) => void): Misbehave =>
    (request, response) => {
      if (!request.url?.includes(matches)) return undefined;
      answer(response);
      return 'done';
    };

  it('that is slow, cut off or broken is given up in time', async () => {
    const slow = await ask(
      answering('/blobs/', () => undefined),
      { toolMs: 1_000 },
    );
    expect(slow.said).toContain('context deadline exceeded');
    const cut = await ask(
      answering('/blobs/', (response) => response.writeHead(200, { 'content-length': '500' }).write('x', () => response.destroy())),
    );
    expect(cut.said).toMatch(/aborted|socket hang up|ECONNRESET/);
    const dripping = await ask(
      answering('/blobs/', (response) => {
        const drip = (): void => void (response.destroyed || response.write('x', () => setTimeout(drip, 50)));
        drip();
      }),
      { toolMs: 1_500 },
    );
    expect(dripping.said).toMatch(/context deadline exceeded|larger than/);
    const broken = await ask(
      answering('/blobs/', (response) => response.writeHead(500).end('{"errors":[{"code":"UNKNOWN","message":"secret place"}]}')),
    );
    expect(broken.said).toMatch(/response status code 500: unknown$/);
  });

  it('is believed only with a certificate that can be believed', async () => {
    const ca = await file('ca.crt');
    const tls = { cert: await file('serving.crt'), key: await file('serving.key') };
    const front = await open.front({ tls });
    const url = `oci://${front.host}/team/web`;
    const source = { repoURL: url, path: '.', targetRevision: '1.0.0' };
    const secure = { url, insecureOCIForceHttp: false };
    await expect((await sourcesFor(secure)).render(source)).rejects.toThrow(/unable to verify|self-signed|unable to get/);
    expect(await (await sourcesFor({ ...secure, certificateAuthorities: ca })).names(source)).toEqual(['a']);
    expect(await (await sourcesFor({ ...secure, insecure: true })).names(source)).toEqual(['a']);
    const proxy = await startTunnelProxy({ scheme: 'http', user: 'u', password: 'p', hosts: { localhost: '127.0.0.1' } });
    opened.push(proxy);
    const named = url.replace('127.0.0.1', 'localhost');
    const proxied = await sourcesFor({ ...secure, url: named, certificateAuthorities: ca, proxy: proxy.url });
    expect(await proxied.names({ ...source, repoURL: named })).toEqual(['a']);
    expect(new Set(proxy.targets)).toEqual(new Set([front.host.replace('127.0.0.1', 'localhost')]));
    const untrusted = await sourcesFor({ ...secure, url: named, proxy: proxy.url });
    await expect(untrusted.render({ ...source, repoURL: named })).rejects.toThrow(/unable to verify|self-signed|unable to get/);
    // Plain HTTP is never tried where it was not asked for.
    const plain = `oci://${(await open.front()).host}/team/web`;
    await expect((await sourcesFor({ ...secure, url: plain })).render({ ...source, repoURL: plain })).rejects.toThrow(
      /server gave HTTP response to HTTPS client/,
    );
    const expired = await open.front({ tls: { cert: await file('expired.crt'), key: await file('expired.key') } });
    const old = `oci://${expired.host}/team/web`;
    await expect(
      (await sourcesFor({ ...secure, url: old, certificateAuthorities: ca })).render({ ...source, repoURL: old }),
    ).rejects.toThrow('certificate has expired');
    const strict = await open.front({ tls: { ...tls, ca, requestCert: true } });
    const own = `oci://${strict.host}/team/web`;
    const certificate = {
      tlsClientCertData: new Sealed(await file('fairway.crt')),
      tlsClientCertKey: new Sealed(await file('fairway.key')),
    };
    await expect(
      (await sourcesFor({ ...secure, url: own, certificateAuthorities: ca })).render({ ...source, repoURL: own }),
    ).rejects.toThrow(/alert|certificate|ECONNRESET|hang up|EPIPE/);
    expect(
      await (await sourcesFor({ ...secure, url: own, certificateAuthorities: ca, ...certificate })).names({ ...source, repoURL: own }),
    ).toEqual(['a']);
  });

  it('that takes back a token, or lets it run out, is asked for another one', async () => {
    let nowMs = 1_000_000;
    let valid = '';
    let given = 0;
    const credentials = { username: new Sealed(registryUser.username), password: new Sealed(registryUser.password) };
    const server = await startStubServer((request, response) => {
      if (request.url?.startsWith('/token') === true) {
        given += 1;
        valid = `token-${given}`;
        return void response.end(JSON.stringify({ access_token: valid, expires_in: 100 }));
      }
      if (request.headers.authorization !== `Bearer ${valid}`)
        return void response.writeHead(401, { 'www-authenticate': `Bearer realm="${server.url}/token",service="s"` }).end();
      return void response.writeHead(200, { 'docker-content-digest': `sha256:${'0'.repeat(64)}`, 'content-type': OCI_MANIFEST }).end();
    });
    opened.push(server);
    const url = server.url.replace('http:', 'oci:').concat('/team/web');
    const test = await sourcesFor({ url, ...credentials }, {}, { clock: { nowMs: () => nowMs } });
    const resolve = () => test.sources.resolve({ repoURL: url, targetRevision: '1.0.0' }, { project: 'default', fresh: true });
    await resolve();
    await resolve();
    expect(given).toBe(1);
    valid = 'taken back';
    await resolve();
    expect(given).toBe(2);
    // A little before it ends.
    nowMs += 95_000;
    await resolve();
    expect(given).toBe(3);
    expect(server.requests.filter(({ url: asked }) => asked?.startsWith('/token'))).toHaveLength(3);
  });
});
