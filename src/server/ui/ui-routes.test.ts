import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpReply } from '../http.ts';
import { createPlainRoutes } from '../transports/plain-routes.ts';
import { createUiRoutes } from './ui-routes.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const SCRIPT = 'export const a = 1;\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-ui-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function build(): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<title>Fairway</title>');
  writeFileSync(join(folder, 'assets/index-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-1.js.br'), 'as brotli');
  writeFileSync(join(folder, 'assets/index-1.js.gz'), 'as gzip');
  writeFileSync(join(folder, 'build-stamp.txt'), 'not for the world');
}

function createAsk(): (path: string, headers?: Record<string, string>) => Promise<HttpReply> {
  const frontPage = (): Promise<HttpReply> => Promise.resolve({ status: 302, headers: { location: '/docs' } });
  const routes = createPlainRoutes(createUiRoutes({ folder, frontPage }));
  return async (path, headers = {}) => {
    const route = routes.find(path);
    if (route === undefined) throw new Error(`no route for ${path}`);
    const rest = { query: '', remoteAddress: '127.0.0.1', secure: false, signal: AbortSignal.timeout(10_000) };
    return route.handler({ ...rest, verb: 'GET', path, headers, readBody: () => Promise.resolve(Buffer.alloc(0)) });
  };
}

describe('the web interface', () => {
  it.each(['/', '/applications', '/applications/argocd/web', '/applications/web', '/settings/repos', '/user-info', '/login'])(
    'answers a browser at %s with its page, and keeps it safe',
    async (path) => {
      build();
      const { status, headers, body } = await createAsk()(path, { accept: BROWSER });
      expect({ status, body: String(body) }).toEqual({ status: 200, body: '<title>Fairway</title>' });
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'x-frame-options': 'DENY' });
      expect(headers?.['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(headers?.['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  it('leaves to others those who do not ask for a page', async () => {
    build();
    const ask = createAsk();
    expect(await ask('/', { accept: '*/*' })).toMatchObject({ status: 302 });
    await expect(ask('/applications/web', { accept: 'application/json' })).rejects.toThrow('there is no /applications/web');
  });

  it.each([
    ['br, gzip', 'br', 'as brotli'],
    ['gzip, deflate', 'gzip', 'as gzip'],
    ['br;q=0, gzip', 'gzip', 'as gzip'],
    ['', undefined, SCRIPT],
  ])('sends a file as it was compressed when it was built (%s)', async (accepted, encoding, sent) => {
    build();
    const { headers, body } = await createAsk()('/assets/index-1.js', { 'accept-encoding': accepted });
    expect([headers?.['content-encoding'], String(body)]).toEqual([encoding, sent]);
    expect(headers?.['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers?.['vary']).toContain('accept-encoding');
  });

  it('sends nothing to those who have it', async () => {
    build();
    const ask = createAsk();
    const { headers } = await ask('/assets/index-1.js');
    expect(await ask('/assets/index-1.js', { 'if-none-match': String(headers?.['etag']) })).toMatchObject({ status: 304 });
  });

  it.each(['/assets/index-2.js', '/assets/../build-stamp.txt', '/assets/%2e%2e/build-stamp.txt', '/assets/index-1.js.br'])(
    'has nothing at %s',
    async (path) => {
      build();
      await expect(createAsk()(path, { accept: BROWSER })).rejects.toThrow('there is no');
    },
  );

  it.each([
    '/assets/..%2f..%2f..%2fetc/passwd',
    '/assets/../../../etc/passwd',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/..\\..\\secret.js',
    '/assets/linked.js',
    '/assets/linked-folder/secret.js',
    '/assets//etc/passwd',
    '/assets/',
    '/assets/index-1.js/../../secret.js',
  ])('PATH-15: nothing outside of its folder is at %s', async (path) => {
    build();
    const outside = mkdtempSync(join(tmpdir(), 'fairway-outside-'));
    writeFileSync(join(outside, 'secret.js'), 'secret');
    symlinkSync(join(outside, 'secret.js'), join(folder, 'assets/linked.js'));
    symlinkSync(outside, join(folder, 'assets/linked-folder'));
    await expect(createAsk()(path, { accept: BROWSER })).rejects.toThrow('there is no');
    rmSync(outside, { recursive: true });
  });

  it('PATH-15: a compressed form is not taken from elsewhere either, and there is no way to files of extensions', async () => {
    build();
    const outside = mkdtempSync(join(tmpdir(), 'fairway-outside-'));
    writeFileSync(join(outside, 'secret'), 'secret');
    rmSync(join(folder, 'assets/index-1.js.br'));
    symlinkSync(join(outside, 'secret'), join(folder, 'assets/index-1.js.br'));
    const ask = createAsk();
    expect(String((await ask('/assets/index-1.js', { 'accept-encoding': 'br' })).body)).toBe(SCRIPT);
    await expect(ask('/extensions.js', { accept: BROWSER })).rejects.toThrow('no route');
    rmSync(outside, { recursive: true });
  });

  it('says that it is not built, and is there once it is', async () => {
    const ask = createAsk();
    const missing = await ask('/', { accept: BROWSER });
    expect([missing.status, String(missing.body)]).toEqual([503, expect.stringContaining('The web interface is not built')]);
    build();
    expect((await ask('/', { accept: BROWSER })).status).toBe(200);
  });
});
