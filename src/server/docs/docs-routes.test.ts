import { describe, expect, it } from 'vitest';
import type { HttpReply, HttpRequest } from '../http.ts';
import { docsRoutes } from './docs-routes.ts';

const PAGES = [
  '/docs',
  '/docs/style.css',
  ...['app', 'element', 'operation', 'request', 'schema', 'try-it'].map((name) => `/docs/${name}.js`),
];

describe('the API browser', () => {
  it.each([...PAGES, '/openapi.json'])('serves %s with the headers that keep it safe', async (path) => {
    const reply = await ask(path);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
    expect(reply.headers?.['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
    expect(textOf(reply)).not.toBe('');
  });

  it('names the type of each file', async () => {
    const types = await Promise.all(
      ['/docs', '/docs/style.css', '/docs/app.js', '/openapi.json'].map(async (path) => (await ask(path)).headers?.['content-type']),
    );
    expect(types).toEqual(['text/html; charset=utf-8', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'application/json']);
  });

  it('loads nothing from elsewhere and has no script or style within the page', async () => {
    for (const path of PAGES) expect(textOf(await ask(path)), path).not.toMatch(/https?:\/\/|["'(]\/\//);
    const page = textOf(await ask('/docs'));
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/);
  });

  it('serves every file that it refers to', async () => {
    const page = textOf(await ask('/docs'));
    const referred = [...page.matchAll(/(?:src|href)="(?!#|data:)([^"]+)"/g)].map((match) => `/${match[1] ?? ''}`);
    expect(referred).toContain('/docs/app.js');
    for (const path of PAGES.filter((each) => each.endsWith('.js')))
      for (const [, name] of textOf(await ask(path)).matchAll(/from '\.\/([^']+)'/g)) referred.push(`/docs/${name ?? ''}`);
    const served = new Set(docsRoutes.map((route) => route.path));
    expect(referred.filter((path) => !served.has(path))).toEqual([]);
  });

  it('has scripts that parse and never make markup from text', async () => {
    for (const path of PAGES.filter((each) => each.endsWith('.js'))) {
      const script = textOf(await ask(path));
      await expect(
        import(`data:text/javascript,${encodeURIComponent(`export async function f() {${withoutModules(script)}}`)}`),
        path,
      ).resolves.toBeDefined();
      expect(script, path).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage|sessionStorage|document\.cookie/,
      );
    }
  });

  it('labels every field of the page', async () => {
    const page = textOf(await ask('/docs'));
    const ids = [...page.matchAll(/<input\s+id="(\w+)"/g)].map((match) => match[1] ?? '');
    expect(ids).toEqual(['token', 'search']);
    expect(page).toMatch(/<label class="token">[^]*id="token"[^]*<\/label>/);
    expect(page).toContain('<label for="search">');
    expect(page).toMatch(/<html lang="en">/);
  });

  it('leads from the older addresses to the present ones, also below a root path', async () => {
    const places = await Promise.all(
      ['/swagger.json', '/swagger-ui', '/docs/'].map(async (path) => {
        const { status, headers } = await ask(path);
        return [status, new URL(String(headers?.['location']), `http://host/root${path}`).pathname];
      }),
    );
    expect(places).toEqual([
      [308, '/root/openapi.json'],
      [308, '/root/docs'],
      [308, '/root/docs'],
    ]);
  });

  it('sends a file only when it has changed', async () => {
    const etag = String((await ask('/docs')).headers?.['etag']);
    expect(await ask('/docs', { 'if-none-match': etag })).toMatchObject({ status: 304 });
    expect(await ask('/docs', { 'if-none-match': `"x", ${etag.replace('W/', '')}` })).toMatchObject({ status: 304 });
    expect(await ask('/docs', { 'if-none-match': '"x"' })).toMatchObject({ status: 200 });
  });

  it('only reads', () => {
    expect(docsRoutes.every((route) => route.verbs.join() === 'GET')).toBe(true);
  });
});

async function ask(path: string, headers: HttpRequest['headers'] = {}): Promise<HttpReply> {
  const route = docsRoutes.find((each) => each.path === path);
  if (!route) throw new Error(`no route ${path}`);
  return route.handler({
    verb: 'GET',
    path,
    query: '',
    headers,
    remoteAddress: '127.0.0.1',
    secure: false,
    signal: new AbortController().signal,
    readBody: async () => Buffer.alloc(0),
  });
}

function textOf(reply: HttpReply): string {
  return Buffer.from(reply.body as string).toString();
}

/** A module's text as the body of a function, so that it can be parsed without a browser to run it. */
function withoutModules(script: string): string {
  return script.replaceAll(/^import .*$/gm, '').replaceAll(/^export /gm, '');
}
