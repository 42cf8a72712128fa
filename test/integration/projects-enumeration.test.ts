import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../support/kinds.ts';
import { openProjectScene, type ProjectScene } from '../support/project-scene.ts';
import type { RestAnswer, RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

let scene: ProjectScene;

beforeAll(async () => {
  scene = await openProjectScene();
});
afterAll(async () => {
  await scene?.close();
});

const NAMES = /other-app|none-app/g;
/** What a caller learns: the answer without the name that they asked for, which they knew before. */
const learned = ({ status, text }: RestAnswer): object => ({ status, text: text.replaceAll(NAMES, '<name>') });

/** The same question about what is not theirs and about what is not there: nobody can tell one from the other. */
async function ask(caller: RestCaller, verb: string, path: (name: string) => string, body?: unknown): Promise<RestAnswer> {
  const [forbidden, absent] = [await caller(verb, path('other-app'), body), await caller(verb, path('none-app'), body)];
  expect(learned(forbidden)).toEqual(learned(absent));
  expect(forbidden.text).not.toMatch(/project "?other\b|'other'|other\//);
  return forbidden;
}

const denied = { error: 'permission denied', code: 7, message: 'permission denied' };

describe('An application', () => {
  it('ENUM-01: that is absent is refused like one that is not theirs', async () => {
    for (const caller of [scene.dev, scene.nobody]) {
      const answer = await ask(caller, 'GET', (name) => `/api/v1/applications/${name}`);
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject(denied);
    }
  });

  it('ENUM-01: that is absent takes as long to refuse as one that is not theirs', { timeout: 60_000 }, async () => {
    const timed = async (name: string): Promise<number> => {
      const startMs = performance.now();
      await scene.nobody('GET', `/api/v1/applications/${name}`);
      return performance.now() - startMs;
    };
    const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
    for (let round = 0; round < 20; round += 1) await timed('other-app');
    const [forbidden, absent]: [number[], number[]] = [[], []];
    for (let round = 0; round < 150; round += 1) {
      forbidden.push(await timed('other-app'));
      absent.push(await timed('none-app'));
    }
    const ratio = median(forbidden) / median(absent);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  it('ENUM-02: with a project of theirs, is not found either way; with another, refused either way', async () => {
    const found = await ask(scene.dev, 'GET', (name) => `/api/v1/applications/${name}?project=mine`);
    expect(found.status).toBe(404);
    const refused = await ask(scene.dev, 'GET', (name) => `/api/v1/applications/${name}?project=other`);
    expect(refused.status).toBe(403);
    expect((await ask(scene.nobody, 'GET', (name) => `/api/v1/applications/${name}?project=mine`)).status).toBe(403);
  });

  const resource = 'resourceName=one&kind=ConfigMap&version=v1&namespace=default';
  const METHODS: readonly (readonly [verb: string, suffix: string, body?: object])[] = [
    ['GET', '?refresh=normal'],
    ['GET', '/manifests'],
    ['GET', `/resource?${resource}`],
    ['POST', `/resource?${resource}&patchType=application/merge-patch%2Bjson`, {}],
    ['DELETE', `/resource?${resource}`],
    ['GET', `/resource/actions?${resource}`],
    ['POST', `/resource/actions?${resource}`, {}],
    ['POST', '/resource/actions/v2', { resourceName: 'one', kind: 'ConfigMap', version: 'v1', action: 'x' }],
    ['GET', `/resource/links?${resource}`],
    ['GET', '/resource-tree'],
    ['GET', '/managed-resources'],
    ['GET', '/events'],
    ['GET', '/logs?podName=x'],
    ['GET', '/pods/x/logs'],
    ['GET', '/links'],
    ['GET', '/syncwindows'],
    ['GET', '/revisions/HEAD/metadata'],
    ['GET', '/revisions/HEAD/chartdetails'],
    ['GET', '/revisions/HEAD/ocimetadata'],
    ['GET', '/server-side-diff'],
    ['POST', '/sync', {}],
    ['POST', '/rollback', { id: 1 }],
    ['PATCH', '', { patch: '[]', patchType: 'json' }],
    ['PUT', '/spec', { project: 'mine', destination: {} }],
    ['DELETE', '/operation'],
    ['DELETE', ''],
  ];

  it.each(METHODS.map(([verb, suffix, body]) => ({ verb, suffix, body })))(
    'ENUM-04: $verb $suffix tells nobody whether there is one',
    async ({ verb, suffix, body }) => {
      const address = (name: string): string => `/api/v1/applications/${name}${suffix}`;
      const withProject = (project: string) => (name: string) => `${address(name)}${suffix.includes('?') ? '&' : '?'}project=${project}`;
      for (const caller of [scene.dev, scene.nobody]) {
        expect((await ask(caller, verb, address, body)).status).toBe(403);
      }
      const own = await ask(scene.dev, verb, withProject('mine'), body && { ...body, project: 'mine' });
      expect([403, 404]).toContain(own.status);
      const refused = await ask(scene.dev, verb, withProject('other'), body && { ...body, project: 'other' });
      expect(refused.status).toBe(403);
      expect((await scene.read('other-app')).metadata.deletionTimestamp).toBeUndefined();
    },
  );

  it.each([false, true])(
    'ENUM-09: of another project is neither shown nor taken by creating one of its name, upsert %s',
    async (upsert) => {
      const before = await scene.read('other-app');
      const taken = scene.application('other-app', 'mine', { source: { repoURL: scene.repository.url, path: 'else' } });
      const answer = await scene.dev('POST', `/api/v1/applications?validate=false&upsert=${upsert}`, taken);
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject(denied);
      expect((await scene.read('other-app')).spec).toEqual(before.spec);
    },
  );
});

describe('A cluster', () => {
  it('ENUM-05: that is absent is refused like one that is not theirs', async () => {
    const config = JSON.stringify({ bearerToken: 'very-secret', tlsClientConfig: { insecure: true } });
    await scene.home.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cluster-other', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
      stringData: { name: 'other-app', server: 'https://127.0.0.1:1/other-app', project: 'other', config },
    });
    await waitUntil(async () => (await scene.admin('GET', '/api/v1/clusters')).text.includes('https://127.0.0.1:1/other-app'));
    const addresses = [
      (name: string) => `/api/v1/clusters/${encodeURIComponent(`https://127.0.0.1:1/${name}`)}`,
      (name: string) => `/api/v1/clusters/${name}?id.type=name`,
      (name: string) => `/api/v1/clusters/${name}?id.type=name_escaped`,
    ];
    for (const caller of [scene.dev, scene.nobody])
      for (const address of addresses) {
        const split = (name: string, part: string): string => address(name).replace(/(?=\?|$)/, part);
        const calls: readonly (readonly [string, (name: string) => string, object?])[] = [
          ['GET', address],
          ['DELETE', address],
          ['PUT', address, { name: 'x', server: 'https://127.0.0.1:1/x' }],
          ['POST', (name) => split(name, '/rotate-auth'), {}],
          ['POST', (name) => split(name, '/invalidate-cache'), {}],
        ];
        for (const [verb, path, body] of calls) expect((await ask(caller, verb, path, body)).status).toBe(403);
      }
    expect((await scene.nobody('GET', '/api/v1/clusters')).text).not.toContain('127.0.0.1');
  });
});

describe('A repository', () => {
  it('ENUM-06: that is absent is refused like one that is not theirs', async () => {
    await scene.home.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'repository-other', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
      stringData: { url: 'https://127.0.0.1:1/other-app', project: 'other', password: 'very-secret' },
    });
    await waitUntil(async () => (await scene.admin('GET', '/api/v1/repositories')).text.includes('https://127.0.0.1:1/other-app'));
    const address = (name: string): string => `/api/v1/repositories/${encodeURIComponent(`https://127.0.0.1:1/${name}`)}`;
    const details = (appProject: string): object => ({ source: { path: 'app' }, appName: 'new', appProject });
    const calls: readonly (readonly [string, string, object?])[] = [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/refs'],
      ['POST', '/appdetails', details('other')],
      ['POST', '/appdetails', details('')],
    ];
    for (const caller of [scene.dev, scene.nobody])
      for (const [verb, suffix, body] of calls) {
        const answer = await ask(caller, verb, (name) => `${address(name)}${suffix}`, body);
        expect({ verb, suffix, body, status: answer.status }).toEqual({ verb, suffix, body, status: 403 });
      }
    expect((await ask(scene.nobody, 'POST', (name) => `${address(name)}/appdetails`, details('mine'))).status).toBe(403);
    // What anybody may name in a project of theirs is asked for without what another project knows of it.
    const own = await ask(scene.dev, 'POST', (name) => `${address(name)}/appdetails`, details('mine'));
    expect(own.status).toBeGreaterThanOrEqual(400);
    expect((await scene.dev('GET', '/api/v1/repositories')).text).not.toMatch(/very-secret|other-app/);
  });
});

describe('A project', () => {
  it('ENUM-07: that is absent is refused like one that is not theirs, in every method', async () => {
    const address = (suffix: string) => (name: string) => `/api/v1/projects/${name === 'other-app' ? 'other' : 'none'}${suffix}`;
    const calls: readonly (readonly [string, string, object?])[] = [
      ['GET', ''],
      ['GET', '/detailed'],
      ['GET', '/events'],
      ['GET', '/links'],
      ['GET', '/syncwindows'],
      ['GET', '/globalprojects'],
      ['DELETE', ''],
      ['POST', '/roles/dev/token', {}],
      ['DELETE', '/roles/dev/token/1'],
    ];
    for (const caller of [scene.dev, scene.nobody])
      for (const [verb, suffix, body] of calls) {
        const [forbidden, absent] = [
          await caller(verb, address(suffix)('other-app'), body),
          await caller(verb, address(suffix)('none-app'), body),
        ];
        const text = (answer: RestAnswer): string => answer.text.replaceAll(/\b(other|none)\b/g, '<name>');
        expect([forbidden.status, text(forbidden)]).toEqual([absent.status, text(absent)]);
        expect(forbidden.status).toBe(suffix === '/links' ? 500 : 403);
      }
    const put = (name: string) => scene.dev('PUT', `/api/v1/projects/${name}`, { project: { metadata: { name }, spec: {} } });
    expect([(await put('other')).status, (await put('none')).status]).toEqual([403, 403]);
  });

  it('ENUM-07: lists hold nothing for who may see nothing, and do not count it', async () => {
    const filtered = ['projects', 'applications', 'clusters', 'repositories', 'applicationsets'];
    for (const list of [...filtered, 'gpgkeys', 'certificates']) {
      const { status, json } = await scene.nobody('GET', `/api/v1/${list}`);
      expect({ list, status }).toEqual({ list, status: filtered.includes(list) ? 200 : 403 });
      expect(json['items'] ?? []).toEqual([]);
    }
    const own = (await scene.dev('GET', '/api/v1/projects')).json['items'] as { metadata: { name: string } }[];
    expect(own.map(({ metadata }) => metadata.name)).toEqual(['mine']);
  });

  it('ENUM-07: creating one that exists tells only those what it says who may see it', async () => {
    const answer = await scene.nobody('POST', '/api/v1/projects', { project: { metadata: { name: 'other' }, spec: {} }, upsert: true });
    expect([answer.status, answer.text]).toEqual([403, expect.not.stringContaining('difference')]);
  });
});

describe('What a token of a project shows', () => {
  it('PROJ-10: no credentials of repositories or clusters', { timeout: 60_000 }, async () => {
    const secret = (name: string, type: string, stringData: Readonly<Record<string, string>>) =>
      scene.home.create(kinds.secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': type } },
        stringData: { project: 'mine', ...stringData },
      });
    const hidden = ['username', 'password', 'sshPrivateKey', 'bearerToken', 'tlsClientCertData', 'tlsClientCertKey', 'githubAppPrivateKey'];
    const more = ['gcpServiceAccountKey', 'azureServicePrincipalClientSecret'];
    const credentials = Object.fromEntries([...hidden, ...more].map((field) => [field, `SECRET-${field}`]));
    await secret('mine-repository', 'repository', {
      url: 'https://git:SECRET-word@git.example/mine',
      name: 'shown',
      proxy: 'http://SECRET-user:SECRET-word@proxy.example',
      ...credentials,
    });
    await secret('mine-template', 'repo-creds', { url: 'https://git.example', ...credentials });
    const config = {
      username: 'SECRET-u',
      password: 'SECRET-p',
      bearerToken: 'SECRET-t',
      tlsClientConfig: { insecure: true },
      execProviderConfig: { command: 'SECRET-c', env: { A: 'SECRET-e' } },
    };
    await secret('mine-cluster', 'cluster', { name: 'mine-cluster', server: 'https://127.0.0.1:1', config: JSON.stringify(config) });
    const detailed = await waitUntil(async () => {
      const answer = await scene.dev('GET', '/api/v1/projects/mine/detailed');
      return answer.text.includes('mine-cluster') && answer.text.includes('git.example/mine') ? answer : undefined;
    });
    expect(detailed.json).toMatchObject({
      repositories: [{ repo: 'https://git@git.example/mine', type: 'git', name: 'shown', project: 'mine', proxy: 'http://proxy.example' }],
      clusters: [{ server: 'https://127.0.0.1:1', name: 'mine-cluster', project: 'mine', config: { tlsClientConfig: { insecure: true } } }],
    });
    for (const path of [
      'projects/mine/detailed',
      'projects/mine',
      'projects',
      'repositories',
      'repocreds',
      'clusters',
      'write-repositories',
      'settings',
    ])
      expect([path, (await scene.dev('GET', `/api/v1/${path}`)).text]).toEqual([path, expect.not.stringContaining('SECRET')]);
  });
});
