import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProjectScene, type ProjectScene } from '../support/project-scene.ts';
import { callerWith } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'title|javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '//no-scheme.example.com',
  'no-scheme.example.com',
];
const MARKUP = '<img src=x onerror=alert(1)>';

let scene: ProjectScene;

beforeAll(async () => {
  scene = await openProjectScene();
});
afterAll(async () => {
  await scene?.close();
});

describe('addresses that would be links', () => {
  it('WEB-01, WEB-03: of annotations and ingresses are those of the web and no others', async () => {
    const links = Object.fromEntries(SCRIPTS.map((address, index) => [`link.argocd.argoproj.io/x${index}`, address]));
    const annotations = { ...links, 'link.argocd.argoproj.io/good': 'https://good.example.com' };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'linked', annotations } };
    const rules = ['javascript:alert(1)//', 'ok.example.com'].map((host) => ({
      host,
      http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] },
    }));
    const ingress = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'linked' }, spec: { rules } };
    await scene.repository.commit({ 'linked/map.json': JSON.stringify(map), 'linked/ingress.json': JSON.stringify(ingress) });
    await scene.createApplication('linked', 'mine', { source: { repoURL: scene.repository.url, path: 'linked' } });
    await scene.admin('POST', '/api/v1/applications/linked/sync', {});
    const urls = await waitUntil(async () => {
      const { summary } = (await scene.read('linked')).status ?? {};
      return summary?.externalURLs?.some((url) => url.includes('good')) ? summary.externalURLs : undefined;
    });
    expect(urls.filter((url) => !/^https?:\/\//.test(url))).toEqual([]);
    const { text } = await scene.admin('GET', '/api/v1/applications/linked/resource-tree');
    const shown = [...text.matchAll(/"externalURLs":(\[[^\]]*\])/g)].flatMap(([, list = '[]']) => JSON.parse(list) as string[]);
    expect(shown).toEqual(expect.arrayContaining(['https://good.example.com', 'http://ok.example.com/']));
    expect(shown.filter((url) => !/^https?:\/\//.test(url))).toEqual([]);
  });

  it('WEB-03: of settings and of applications are those of the web and no others', async () => {
    const [script = ''] = SCRIPTS;
    await scene.setSettings({
      'help.chatUrl': script,
      'help.chatText': 'Chat',
      'ui.bannercontent': 'Hello',
      'ui.bannerurl': script,
      'statusbadge.url': script,
      'statusbadge.enabled': 'true',
      'application.links': JSON.stringify([
        { title: 'bad', url: script },
        { title: 'good', url: 'https://good.example.com' },
      ]),
    });
    await waitUntil(async () => (await scene.admin('GET', '/api/v1/applications/mine-app/links')).text.includes('good.example.com'));
    expect((await scene.admin('GET', '/api/v1/settings')).text).not.toContain('javascript:');
    const links = await scene.admin('GET', '/api/v1/applications/mine-app/links');
    expect(links.text).not.toContain('javascript:');
    const application = scene.application('managed-elsewhere', 'mine');
    const annotations = { 'argocd.argoproj.io/managed-by-url': script };
    const refused = await scene.admin('POST', '/api/v1/applications?validate=false', {
      ...application,
      metadata: { ...application.metadata, annotations },
    });
    expect(refused.status).toBe(400);
  });
});

describe('texts of users', () => {
  it('WEB-04: leave as JSON that no browser takes for a page, and errors name them as text', async () => {
    await scene.createApplication('marked', 'mine', { info: [{ name: MARKUP, value: MARKUP }] });
    const { url, adminPassword } = scene.fairway;
    const session = await callerWith({ url }, '')('POST', '/api/v1/session', { username: 'admin', password: adminPassword });
    const marked = encodeURIComponent(MARKUP);
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${url}${path}`, { headers: { accept: 'application/json', ...headers } });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      return { path, status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
    };
    const signedIn = { authorization: `Bearer ${String(session.json['token'])}` };
    for (const [path, expected] of [
      ['/api/v1/applications/marked', 200],
      [`/api/v1/applications/${marked}?project=mine`, 404],
      [`/api/v1/projects/${marked}`, 404],
      [`/api/v1/account/${marked}`, 404],
    ] as const) {
      const { status, type, text } = await ask(path, signedIn);
      expect({ path, status, type }).toEqual({ path, status: expected, type: expect.stringMatching(/^application\/json\b/) });
      // It is told, as a text in JSON.
      expect(JSON.stringify(JSON.parse(text))).toContain(MARKUP);
      const stranger = await ask(path, {});
      expect(stranger).toMatchObject({ status: 401, type: expect.stringMatching(/^application\/json\b/) as string });
      expect(stranger.text).not.toContain(MARKUP);
    }
    for (const path of [`/api/${marked}`, `/${marked}`])
      for (const headers of [signedIn, {}]) expect((await ask(path, headers)).text).not.toContain(MARKUP);
  });

  it('WEB-04: have no way into a page but as text: the web interface writes no HTML of its own', () => {
    const folder = fileURLToPath(new URL('../../src/ui', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('.test.'),
    );
    expect(files.length).toBeGreaterThan(20);
    const sinks = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcDoc/;
    expect(files.filter((name) => sinks.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });

  it('WEB-01, WEB-02: become links in the web interface only by the one component that looks at them', () => {
    const folder = fileURLToPath(new URL('../../src/ui', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
    const bare = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/<a\b[^>]*?\bhref=\{([^}]*)/gs)].map(([, value = '']) => `${name}: ${value}`),
    );
    // The component itself, and addresses that begin with a path of ours.
    expect(bare.filter((place) => place !== 'design/small.tsx: address' && !/: (`\/|providerAddress\()/.test(place))).toEqual([]);
    const provider = readFileSync(join(folder, 'pages/sign-in/find-provider.ts'), 'utf8');
    expect(provider).toMatch(/providerAddress\([^)]*\): string \{\s*return `\//);
  });
});
