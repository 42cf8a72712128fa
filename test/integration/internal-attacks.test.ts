import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { access, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationType } from '../../src/model/index.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { openProjectScene, type ProjectScene } from '../support/project-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

let scene: ProjectScene;

beforeAll(async () => {
  scene = await openProjectScene();
});
afterAll(async () => {
  await scene?.close();
});

describe('what stands behind the API', () => {
  it('INT-01: cannot be reached by itself: the program listens on its one port and nowhere else', async () => {
    const { pid, port } = scene.fairway;
    const own = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap((handle) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${handle}`))?.[1] ?? [];
        } catch {
          // It was closed meanwhile.
          return [];
        }
      }),
    );
    const rows = (name: string): string[][] =>
      readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/));
    const listening = ['tcp', 'tcp6'].flatMap((name) => rows(name).filter((row) => row[3] === '0A' && own.has(row[9] ?? '')));
    expect(listening.map((row) => Number.parseInt((row[1] ?? '').split(':')[1] ?? '', 16))).toEqual([port]);
    // The flags of a socket that takes connections.
    expect(rows('unix').filter((row) => row[3] === '00010000' && own.has(row[6] ?? ''))).toEqual([]);
  });

  it('keeps what it rendered so that nobody reads it, and what it keeps of sources for nobody else to write', async () => {
    await scene.admin('POST', '/api/v1/applications/mine-app/sync', {});
    await waitUntil(async () => (await scene.read('mine-app')).status?.sync?.status === 'Synced');
    const found: string[] = [];
    let results = 0;
    const walk = async (folder: string): Promise<void> => {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        const { mode } = await lstat(path);
        if (!entry.isSymbolicLink() && (mode & 0o022) !== 0) found.push(`${path} can be written by others`);
        if (entry.isDirectory()) await walk(path);
        // What Fairway adds to a manifest before it is applied is in none of the files, but in the database of the embedded cluster.
        else if (!/\.(?:db|sqlite)|-(?:wal|shm)$/.test(entry.name) && entry.isFile()) {
          const text = await readFile(path, 'latin1');
          if (text.includes('argocd.argoproj.io/tracking-id')) found.push(`${path} has a rendered manifest`);
          if (!path.includes('/results/')) continue;
          results += 1;
          if (text.includes('ConfigMap')) found.push(`${path} has a manifest that can be read`);
        }
      }
    };
    await walk(scene.fairway.dataDir);
    expect(found).toEqual([]);
    expect(results).toBeGreaterThan(0);
    expect((await lstat(scene.fairway.dataDir)).mode & 0o077).toBe(0);
  });
});

describe('programs that are run', () => {
  it('NODE-03: are handed texts of users as they are, by no shell, and leave nothing behind', { timeout: 120_000 }, async () => {
    const marker = join(scene.fairway.dataDir, 'planted');
    const texts = [
      `$(touch ${marker})`,
      `; touch ${marker} #`,
      `\`touch ${marker}\``,
      `| touch ${marker}`,
      `\ntouch ${marker}\n`,
      `&& touch ${marker}`,
    ];
    const { url } = scene.repository;
    await scene.repository.commit({
      'kustom/kustomization.yaml': 'resources: [map.yaml]\n',
      'kustom/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n',
    });
    const sourcesOf = (text: string): Readonly<Record<string, unknown> & { repoURL: string }>[] => [
      { repoURL: `${url}${text}`, path: 'app' },
      { repoURL: url, path: text },
      { repoURL: url, path: 'app', targetRevision: text },
      { repoURL: url, path: 'kustom', kustomize: { namePrefix: text } },
      { repoURL: url, path: 'kustom', kustomize: { images: [text], commonLabels: { a: text } } },
      { repoURL: url, path: 'kustom', kustomize: { version: text } },
      { repoURL: url, path: 'chart', helm: { releaseName: text } },
      { repoURL: url, path: 'chart', helm: { parameters: [{ name: text, value: text }], valueFiles: [text] } },
      { repoURL: url, path: 'chart', helm: { values: text, kubeVersion: text, apiVersions: [text] } },
      { repoURL: url, chart: text, targetRevision: text },
    ];
    const asked = texts.flatMap(sourcesOf);
    await Promise.all(
      Array.from({ length: 4 }, async (_unused, lane) => {
        for (const source of asked.filter((_source, index) => index % 4 === lane)) {
          const body = { source, appName: 'new', appProject: 'mine' };
          const answer = await scene.admin('POST', `/api/v1/repositories/${encodeURIComponent(source.repoURL)}/appdetails`, body);
          expect(answer.text).not.toContain('internal error');
        }
      }),
    );
    await expect(access(marker)).rejects.toThrow('ENOENT');
    await waitUntil(() => childrenOf(scene.fairway.pid).every((state) => state !== 'Z'));
  });
});

/** The states of the processes that a process has started. */
function childrenOf(pid: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state = '', parent = ''] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(parent) === pid ? [state] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

describe('repositories and their credentials', () => {
  it('RACE-01: are read whole while many make, change and delete them at once', { timeout: 120_000 }, async () => {
    const versions = ['one', 'two'];
    const wrong: string[] = [];
    const repositories = await Promise.all(versions.map(() => createGitRepository({ 'a.yaml': '' })));
    let [left, written, seen] = [200, 0, 0];
    const change = async (lane: number): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const version = versions[left % 2] ?? '';
        const { url } = repositories[lane % 2]!;
        // What is read from a folder is asked for through no proxy.
        const repository = { repo: url, project: 'mine', name: version, proxy: `http://${version}.invalid`, type: 'git' };
        const credentials = { url: `https://git.invalid/races-${lane % 3}`, username: version, password: version };
        const deeds: readonly (readonly [string, string, object?])[] = [
          ['POST', '/api/v1/repositories?upsert=true', repository],
          ['PUT', `/api/v1/repositories/${encodeURIComponent(url)}`, repository],
          ['DELETE', `/api/v1/repositories/${encodeURIComponent(url)}?appProject=mine`],
          ['POST', '/api/v1/repocreds?upsert=true', credentials],
          ['DELETE', `/api/v1/repocreds/${encodeURIComponent(credentials.url)}`],
        ];
        const [verb, path, body] = deeds[left % deeds.length] ?? deeds[0]!;
        const { status, text } = await scene.admin(verb, path, body);
        if (status === 200) written += 1;
        // Somebody else was faster; anything but a failure of our own.
        if (status >= 500 && !/Unavailable|conflict/i.test(text)) wrong.push(`${verb} ${path}: ${status} ${text}`);
      }
    };
    const look = async (): Promise<void> => {
      while (left > 0) {
        const { json } = await scene.admin('GET', '/api/v1/repositories');
        for (const { repo, name, proxy } of (json['items'] ?? []) as { repo: string; name?: string; proxy?: string }[]) {
          if (!repositories.some(({ url }) => url === repo)) continue;
          seen += 1;
          if (proxy !== `http://${name}.invalid`) wrong.push(`${repo} has ${name} and ${proxy}`);
        }
        await scene.admin('GET', '/api/v1/repocreds');
      }
    };
    await Promise.all([...Array.from({ length: 12 }, (_unused, lane) => change(lane)), look(), look()]);
    for (const repository of repositories) await repository.remove();
    expect(wrong).toEqual([]);
    expect(written).toBeGreaterThan(50);
    expect(seen).toBeGreaterThan(0);
    expect((await fetch(`${scene.fairway.url}/healthz`)).status).toBe(200);
  });
});

describe('an application that is too large', () => {
  it('DOS-07: with an annotation of a megabyte is refused, and with a thousand sources or ten thousand entries of history is served', async () => {
    const large = scene.application('large', 'mine');
    const annotated = { ...large, metadata: { ...large.metadata, annotations: { note: 'x'.repeat(1 << 20) } } };
    const refused = await scene.admin('POST', '/api/v1/applications?validate=false', annotated);
    expect({ status: refused.status, text: refused.text.slice(0, 100) }).toMatchObject({ status: 400 });
    const sources = Array.from({ length: 1_000 }, () => ({ repoURL: scene.repository.url, path: 'app' }));
    const { source: _one, ...spec } = large.spec;
    const many = { ...large, spec: { ...spec, sources } };
    expect((await scene.admin('POST', '/api/v1/applications?validate=false', many)).status).toBe(200);
    const history = Array.from({ length: 10_000 }, (_unused, id) => ({
      id,
      revision: 'a'.repeat(40),
      deployedAt: '2026-01-02T03:04:05Z',
      source: { repoURL: scene.repository.url, path: 'app' },
    }));
    await scene.home.patch(applicationType, { namespace: 'argocd', name: 'mine-app' }, { type: 'merge', body: { status: { history } } });
    const { status, json } = await scene.admin('GET', '/api/v1/applications/mine-app');
    expect(status).toBe(200);
    expect(json).toMatchObject({ metadata: { name: 'mine-app' }, status: { history: { length: 10_000 } } });
    // The next sync keeps as many entries as the application asks for.
    await scene.admin('POST', '/api/v1/applications/mine-app/sync', {});
    await waitUntil(async () => {
      const { status: now } = await scene.read('mine-app');
      return now?.operationState?.phase === 'Succeeded' && (now.history ?? []).length <= 10;
    });
  });
});
