import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGithubStub } from '../../../../../test/support/provider-stubs/github-stub.ts';
import { openProviderScene, type ProviderScene } from '../../../../../test/support/provider-stubs/provider-scene.ts';
import { startProviderStub, type ProviderStub } from '../../../../../test/support/provider-stubs/provider-stub.ts';
import { createStubCertificate } from '../../../../../test/support/provider-stubs/stub-certificate.ts';
import { world } from '../../../../../test/support/provider-stubs/stub-world.ts';
import { createRenderText } from '../../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from '../index.ts';

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub;

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  await scene.store('Secret', 'scm', { token: world.token });
});

afterEach(() => stub.close());
afterAll(() => scene.close());

const spec = (api: string, more: object = {}) => ({
  github: { organization: 'acme', api, tokenRef: { secretName: 'scm', key: 'token' }, ...more },
});

/** Generators with a memory of their own that several questions share. */
function asker(options: Partial<ProviderOptions> = {}) {
  const context = { ...scene.plane.context, limits: { attemptsMax: 1 }, ...options };
  const generators = createProviderGenerators(context);
  return (api = stub.url) =>
    generators.scmProvider.generate({
      spec: spec(api) as never,
      applicationSet: { metadata: { name: 'set', namespace: 'argocd' }, spec: {} } as never,
      goTemplate: true,
      renderText: (text) => text,
      strictTokens: false,
      fresh: false,
      signal: new AbortController().signal,
    });
}

describe('A provider that wants to be left alone', () => {
  it('for a moment is asked again afterwards', async () => {
    stub = await startGithubStub(world);
    stub.trouble = (_request, index) => (index === 1 ? { status: 429, headers: { 'retry-after': '1' } } : undefined);
    expect(await asker({ limits: { attemptsMax: 2 } })()).toHaveLength(5);
  });

  it('for long is asked by nobody until then', async () => {
    stub = await startGithubStub(world);
    const reset = String(Math.ceil(Date.now() / 1_000) + 600);
    stub.trouble = () => ({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      body: '{"message":"API rate limit exceeded"}',
    });
    let nowMs = Date.now();
    const ask = asker({ clock: { nowMs: () => nowMs } });
    await expect(ask()).rejects.toThrow(/rate limit exceeded, it may be asked again in (5|6)\d\ds/);
    await expect(ask()).rejects.toThrow('rate limit exceeded');
    expect(stub.requests).toHaveLength(1);
    stub.trouble = () => undefined;
    nowMs += 700_000;
    expect(await ask()).toHaveLength(5);
  });

  it('is told apart from one that forbids', async () => {
    stub = await startGithubStub(world);
    stub.trouble = () => ({ status: 403, headers: { 'x-ratelimit-remaining': '12' }, body: '{"message":"Resource not accessible"}' });
    const ask = asker({ limits: { attemptsMax: 3 } });
    await expect(ask()).rejects.toThrow('403 Forbidden: Resource not accessible');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('A provider that fails', () => {
  it('is asked again, and not for ever', async () => {
    stub = await startGithubStub(world);
    stub.trouble = (_request, index) => (index < 2 ? { status: index === 0 ? 502 : 500 } : undefined);
    expect(await asker({ limits: { attemptsMax: 3 }, random: () => 0.99 })()).toHaveLength(5);
    stub.trouble = () => ({ status: 503 });
    const before = stub.requests.length;
    await expect(asker({ limits: { attemptsMax: 2 }, random: () => 0.99 })()).rejects.toThrow('503 Service Unavailable');
    expect(stub.requests.length - before).toBe(2);
  });

  it('is given up when the time for all of it is over', async () => {
    stub = await startGithubStub(world);
    stub.trouble = (_request, index) => (index > 0 ? { hang: true } : undefined);
    await expect(asker({ limits: { attemptsMax: 3, runMs: 500 } })()).rejects.toThrow('it was not answered in time');
  });

  it('with a text is not repeated: whoever writes a set chooses who answers (SSRF-01)', async () => {
    stub = await startGithubStub(world);
    stub.trouble = () => ({ status: 200, body: 'root key: abcdef' });
    await expect(asker()()).rejects.toThrow(/orgs\/acme\/repos: the answer is not JSON$/);
    stub.trouble = () => ({ status: 404, body: 'no such key: abcdef' });
    await expect(asker()()).rejects.toThrow(/404 Not Found$/);
  });

  it('because nobody is there is named by its address alone', async () => {
    stub = await startGithubStub(world);
    await expect(asker()('http://127.0.0.1:1')).rejects.toThrow(/http:\/\/127\.0\.0\.1:1\/api\/v3\/orgs\/acme\/repos: .*ECONNREFUSED/);
  });
});

describe('What a provider has told already', () => {
  it('is not sent again while it has not changed', async () => {
    stub = await startGithubStub(world);
    const ask = asker();
    const first = await ask();
    const count = stub.requests.length;
    const second = await ask();
    expect(second).toEqual(first);
    const conditional = stub.requests.slice(count).filter(({ headers }) => headers['if-none-match'] !== undefined);
    // All but the last page of the list, which is read twice.
    expect(conditional).toHaveLength(count - 2);
  });

  it('is read again where something went away in the middle of it', async () => {
    const repositories = [...world.repositories];
    stub = await startGithubStub({ ...world, repositories });
    let taken = false;
    stub.trouble = ({ url }) => {
      // After the first page: what was first on the second is now last on the first.
      if (url.searchParams.get('page') === '2' && !taken) repositories.splice(0, 1);
      taken ||= url.searchParams.get('page') === '2';
      return undefined;
    };
    const sets = await asker()();
    expect(sets.map(({ entries }) => entries.get('repository'))).toEqual(['api', 'attic', 'tools', 'worker']);
    stub.trouble = ({ url }) => {
      if (url.searchParams.get('page') === '1') repositories.reverse();
      return undefined;
    };
    await expect(asker()()).rejects.toThrow('a list changes too often to be read as a whole');
  });

  it('does not hide what has been added since, though no page that was known has changed', async () => {
    const repositories = world.repositories.slice(0, 4);
    stub = await startGithubStub({ ...world, repositories });
    const ask = asker();
    expect(await ask()).toHaveLength(4);
    repositories.push({ name: 'fresh', id: 200, defaultBranch: 'main', branches: { main: [] } });
    expect(await ask()).toHaveLength(5);
    repositories.splice(0, 3);
    expect(await ask()).toHaveLength(2);
  });

  it('is not told to others', async () => {
    stub = await startGithubStub(world);
    await scene.store('Secret', 'other', { token: 'another-token-1234' });
    const generators = createProviderGenerators({ ...scene.plane.context, limits: { attemptsMax: 1 } });
    const request = (secretName: string) =>
      generators.scmProvider.generate({
        spec: { github: { organization: 'acme', api: stub.url, tokenRef: { secretName, key: 'token' } } } as never,
        applicationSet: { metadata: { name: 'set', namespace: 'argocd' }, spec: {} } as never,
        goTemplate: true,
        renderText: (text) => text,
        strictTokens: false,
        fresh: false,
        signal: new AbortController().signal,
      });
    await request('scm');
    await expect(request('other')).rejects.toThrow('401 Unauthorized: Bad credentials');
    expect(stub.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });
});

describe('A provider that means no good', () => {
  it('cannot lead the token to another server', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = createServer((incoming, response) => {
      seen.push(incoming.headers.authorization);
      response.end('[]');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    stub = await startProviderStub(() => ({ headers: { link: `<${address}>; rel="next"` }, body: [] }));
    await expect(asker()()).rejects.toThrow('the next page of a list is on another server');
    stub.trouble = () => ({ status: 302, headers: { location: address } });
    await expect(asker()()).rejects.toThrow('it points to another server, which is not followed');
    stub.trouble = ({ url }) => ({ status: 302, headers: { location: `${url.pathname}?again` } });
    await expect(asker()()).rejects.toThrow('it points elsewhere too often');
    expect(seen).toEqual([]);
    elsewhere.close();
  });

  it('cannot send more than fits, nor pages without end', async () => {
    stub = await startProviderStub(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      return { headers: { link: `<${url.pathname}?page=${page + 1}>; rel="next"` }, body: [] };
    });
    await expect(asker({ limits: { attemptsMax: 1, pagesMax: 5 } })()).rejects.toThrow('a list has more than 5 pages');
    expect(stub.requests).toHaveLength(5);
    await stub.close();
    stub = await startProviderStub(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      return { headers: { link: `<${url.pathname}?page=${page + 1}>; rel="next"` }, body: ['x'.repeat(100_000)] };
    });
    await expect(asker({ limits: { attemptsMax: 1, listBytesMax: 450_000 } })()).rejects.toThrow('a list has more than 450000 bytes');
    expect(stub.requests).toHaveLength(5);
    stub.trouble = () => ({ status: 200, headers: { link: '<?page=1&per_page=100>; rel="next"' }, body: '[]' });
    await expect(asker()()).rejects.toThrow('lead in a circle');
    stub.trouble = () => ({ status: 200, body: `["${'x'.repeat(2_000_000)}"]` });
    await expect(asker({ limits: { attemptsMax: 1, bodyBytesMax: 1_000_000 } })()).rejects.toThrow(
      'the answer is larger than 1000000 bytes',
    );
  });

  it('cannot be the machine that hands out credentials', async () => {
    stub = await startGithubStub(world);
    for (const api of ['http://169.254.169.254', 'http://[fe80::1]', 'http://[fd00:ec2::254]'])
      await expect(asker()(api)).rejects.toThrow('addresses of the local link are not allowed');
    for (const api of ['file:///etc/passwd', 'gopher://127.0.0.1']) await expect(asker()(api)).rejects.toThrow('must begin with http');
  });
});

describe('A provider behind a proxy', () => {
  it('is asked through it, and not where an exception says so', async () => {
    stub = await startProviderStub(({ headers }) => (headers['private-token'] === undefined ? { body: [] } : undefined));
    const ask = (api: string, no_proxy = '') => {
      const options = { limits: { attemptsMax: 1 }, proxyEnvironment: { http_proxy: stub.url, ...(no_proxy && { no_proxy }) } };
      return scene.generate('scmProvider', { gitlab: { group: 'acme', api } }, { options });
    };
    expect(await ask('http://gitlab.invalid')).toEqual([]);
    expect(stub.requests[0]?.headers.host).toBe('gitlab.invalid');
    await expect(ask('http://gitlab.invalid', 'gitlab.invalid')).rejects.toThrow('ENOTFOUND');
  });
});

describe('A provider with a certificate of its own', () => {
  it('is trusted where its authority is named, or where nobody shall look', async () => {
    stub = await startGithubStub(world);
    const { certificate, key } = createStubCertificate();
    const secure = createSecureServer({ cert: certificate, key }, (incoming, response) => {
      const isVersion = incoming.url?.includes('/api/v4/');
      response.setHeader('content-type', 'application/json').end(isVersion ? '[]' : '{}');
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const api = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    await scene.store('ConfigMap', 'authority', { 'ca.crt': certificate });
    const ask = (more: object) =>
      scene.generate('scmProvider', { gitlab: { group: 'acme', api, ...more } }, { options: { limits: { attemptsMax: 1 } } });
    await expect(ask({})).rejects.toThrow(/certificate|self-signed/);
    expect(await ask({ caRef: { configMapName: 'authority', key: 'ca.crt' } })).toEqual([]);
    expect(await ask({ insecure: true })).toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), 'authority-'));
    await writeFile(join(folder, 'ca.crt'), certificate);
    await scene.setParameter('applicationsetcontroller.scm.root.ca.path', join(folder, 'ca.crt'));
    expect(await ask({})).toEqual([]);
    await rm(folder, { recursive: true });
    await expect(ask({})).rejects.toThrow('the file with certificates of providers cannot be read');
    await scene.setParameter('applicationsetcontroller.scm.root.ca.path', null);
    await expect(ask({ caRef: { configMapName: 'authority', key: 'none' } })).rejects.toThrow(
      'error fetching CA certificates from ConfigMap: key none not found in ConfigMap authority',
    );
    secure.closeAllConnections();
    secure.close();
  });
});
