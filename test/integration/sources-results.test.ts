import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { makeTarball } from '../support/make-archive.ts';
import { noteRuns } from '../support/noted-program.ts';
import { signInAsAdmin } from '../support/rest-caller.ts';
import type { RestCaller } from '../support/rest-caller.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

const RENDER_PROCESS = fileURLToPath(new URL('../support/render-process.ts', import.meta.url));
const CHART = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const FILES = {
  'plain/a.yaml': configMap('plain'),
  'chart/Chart.yaml': CHART,
  'chart/templates/a.yaml': configMap('charted'),
  'base/kustomization.yaml': 'resources: [b.yaml]\n',
  'base/b.yaml': configMap('based'),
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function makeRepository(files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> {
  const repository = await createGitRepository(files);
  closing.push(() => repository.remove());
  return repository;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(options: Parameters<typeof openTestSources>[0] = {}): Promise<TestSources & { readonly from: string[] }> {
  const from: string[] = [];
  const test = await openTestSources({ onResult: (origin) => void from.push(origin), ...options });
  closing.push(() => test.close());
  return { ...test, from };
}

async function storedIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'results'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Programs that note each of their runs, as their name and what they were to do. */
async function wrapPrograms(): Promise<{ readonly folder: string; runs(): Promise<string[]> }> {
  const folder = await makeFolder();
  const names = ['helm', 'kustomize'] as const;
  const programs = await Promise.all(names.map(async (name) => noteRuns(folder, name, await ensureTool(name))));
  const runsOf = async (name: string, at: number): Promise<string[]> =>
    ((await programs[at]?.runs()) ?? []).map(([what]) => `${name} ${what}`);
  return { folder, runs: async () => (await Promise.all(names.map(runsOf))).flat() };
}

describeWithTool('helm', 'what was rendered before', () => {
  it('is not rendered again after a kill and a new start', { timeout: 180_000 }, async () => {
    const repository = await makeRepository(FILES);
    const programs = await wrapPrograms();
    const dataDir = await makeFolder();
    const start = async (): Promise<{ admin: RestCaller; kill(): Promise<void> }> => {
      const fairway = await startFairway({ dataDir, env: { PATH: `${programs.folder}:${process.env['PATH'] ?? ''}` } });
      closing.push(() => fairway.stop());
      return {
        admin: await signInAsAdmin(fairway),
        async kill() {
          process.kill(fairway.pid, 'SIGKILL');
          await fairway.stop();
        },
      };
    };
    const paths = ['plain', 'chart', 'base'];
    const manifests = async (admin: RestCaller): Promise<unknown[]> =>
      await Promise.all(paths.map(async (name) => (await admin('GET', `/api/v1/applications/${name}/manifests`)).json['manifests']));
    const rendered = async (admin: RestCaller): Promise<Record<string, number>> => {
      const { text } = await admin('GET', '/metrics');
      return Object.fromEntries(
        [...text.matchAll(/^fairway_renders_total\{from="(\w+)"\} (\d+)$/gm)].map(([, from, count]) => [from, Number(count)]),
      );
    };

    const first = await start();
    for (const path of paths) {
      const source = { repoURL: repository.url, path };
      const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
      const spec = { project: 'default', source, destination };
      const { status, text } = await first.admin('POST', '/api/v1/applications', { metadata: { name: path }, spec });
      expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
    }
    const before = await manifests(first.admin);
    expect(JSON.stringify(before)).toMatch(/plain.*charted.*based/);
    expect((await rendered(first.admin))['render']).toBeGreaterThanOrEqual(3);
    const runs = await programs.runs();
    expect(runs).toEqual(expect.arrayContaining(['helm template', 'kustomize build']));
    await first.kill();

    const second = await start();
    expect(await manifests(second.admin)).toEqual(before);
    // The controller looks at all of them, too.
    await waitUntil(async () => {
      const { json } = await second.admin('GET', '/api/v1/applications');
      const items = (json['items'] ?? []) as readonly { readonly status?: { readonly sync?: { readonly status?: string } } }[];
      return items.length === 3 && items.every(({ status }) => status?.sync?.status === 'OutOfSync');
    });
    expect(await rendered(second.admin)).toMatchObject({ render: 0, disk: 3 });
    expect(await programs.runs()).toEqual(runs);

    await repository.commit({ 'base/b.yaml': configMap('changed') });
    await second.admin('GET', '/api/v1/applications/base?refresh=normal');
    expect(JSON.stringify(await manifests(second.admin))).toMatch(/plain.*charted.*changed/);
    expect((await rendered(second.admin))['render']).toBe(1);
    expect((await programs.runs()).length).toBe(runs.length + 1);
  });

  it('is shared by processes that run at once, whatever one of them removes meanwhile', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
    const repository = await makeRepository(Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name)])));
    const folder = await makeFolder();
    const run = async (limits: object): Promise<{ names: string[][]; from: Record<string, number>; logged: string }> => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        RENDER_PROCESS,
        folder,
        repository.url,
        JSON.stringify(limits),
        ...names,
      ]);
      return JSON.parse(stdout) as Awaited<ReturnType<typeof run>>;
    };
    const expected = names.map((name) => [name]);
    const both = await Promise.all([run({}), run({ resultsDiskMax: 1, resultsDiskBytesMax: 16 })]);
    for (const { names: found, logged } of both) expect({ found, logged }).toEqual({ found: expected, logged: '' });
    const here = async (): Promise<TestSources & { readonly from: string[] }> => {
      const test = await open({ folder });
      for (const name of names) expect(await test.names({ repoURL: repository.url, path: name })).toEqual([name]);
      return test;
    };
    await here();
    expect(await run({})).toEqual({ names: expected, from: { disk: 12 }, logged: '' });
    for (const file of await storedIn(folder)) await writeFile(file, (await readFile(file)).subarray(0, 40));
    const repairing = await here();
    expect(repairing.from).toEqual(names.map(() => 'render'));
    expect(repairing.logged()).toContain('a stored result cannot be read');
    expect((await here()).from).toEqual(names.map(() => 'disk'));
  });
});

describe('results on disk', () => {
  it('are those of the inputs: other names, values or versions of the cluster are something else', async () => {
    const repository = await makeRepository({
      ...FILES,
      'chart/templates/b.yaml': configMap('{{ .Release.Name }}-{{ .Capabilities.KubeVersion.Minor }}'),
    });
    const tools = { searchPath: process.env['PATH'] ?? '', helm: await ensureTool('helm') };
    const first = await open({ tools });
    const chart = { repoURL: repository.url, path: 'chart' };
    const wanted = [{}, { kubeVersion: '1.30.0' }, { application: { name: 'other', namespace: 'argocd', project: 'default' } }];
    const made = await Promise.all(wanted.map((more) => first.names(chart, more)));
    expect(made).toEqual([
      ['charted', expect.stringMatching(/^web-\d+$/)],
      ['charted', 'web-30'],
      ['charted', expect.stringMatching(/^other-\d+$/)],
    ]);
    const second = await open({ folder: first.folder, tools });
    expect(await Promise.all(wanted.map((more) => second.names(chart, more)))).toEqual(made);
    expect(second.from).toEqual(['disk', 'disk', 'disk']);
    expect(await second.names(chart)).toEqual(made[0]);
    expect(second.from.at(-1)).toBe('memory');
    expect(await second.names(chart, { hard: true })).toEqual(made[0]);
    expect(second.from.at(-1)).toBe('render');
    const newer = await open({ folder: first.folder, version: '2', tools });
    expect(await newer.names(chart)).toEqual(made[0]);
    expect(newer.from).toEqual(['render']);
  });

  it('hold no failure, and nothing of what somebody sent', async () => {
    const repository = await makeRepository({
      'bad/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: [',
      'good/a.yaml': configMap('good'),
    });
    const test = await open();
    await expect(test.render({ repoURL: repository.url, path: 'bad' })).rejects.toThrow('Failed to unmarshal');
    const upload = makeTarball({ 'good/a.yaml': configMap('sent') });
    expect(await test.names({ repoURL: repository.url, path: 'good' }, { upload })).toEqual(['sent']);
    expect(await storedIn(test.folder)).toEqual([]);
    expect(await test.names({ repoURL: repository.url, path: 'good' })).toEqual(['good']);
    expect(await storedIn(test.folder)).toHaveLength(1);
  });

  it('of charts that take in others are for one project and one day', { timeout: 60_000 }, async () => {
    let served = 'first';
    const server = await startStubServer((request, response) => {
      const index = 'entries: {part: [{name: part, version: 1.0.0, urls: [part.tgz]}]}\n';
      const part = makeTarball({
        'part/Chart.yaml': 'apiVersion: v2\nname: part\nversion: 1.0.0\n',
        'part/templates/a.yaml': configMap(served),
      });
      response.end(request.url === '/index.yaml' ? index : part);
    });
    closing.push(() => server.close());
    const repository = await makeRepository({
      'Chart.yaml': `${CHART}dependencies: [{name: part, version: 1.x, repository: "${server.url}"}]\n`,
    });
    const source = { repoURL: repository.url, path: '.' };
    let nowMs = Date.now();
    const options = {
      clock: { nowMs: () => nowMs },
      tools: { searchPath: process.env['PATH'] ?? '', helm: await ensureTool('helm') },
      access: [{ url: server.url, type: 'helm', owner: 'team-a', name: 'parts' } as const],
      dependencies: { urlOf: () => undefined, isPermitted: (_url: string, project: string) => project === 'team-a' },
      allowOwnMachine: false,
    };
    const forProject = (project: string) => ({ application: { name: 'web', namespace: 'argocd', project } });
    const test = await open(options);
    expect(await test.names(source, forProject('team-a'))).toEqual(['first']);
    // The same chart under the same name: what the other project was given is not for this one.
    const fresh = await open({ ...options, folder: test.folder });
    for (const each of [test, fresh])
      await expect(each.render(source, forProject('team-b'))).rejects.toThrow("are not permitted in project 'team-b'");
    expect(await fresh.names(source, forProject('team-a'))).toEqual(['first']);
    expect(fresh.from).toEqual(['disk']);
    served = 'second';
    await rm(join(test.folder, 'charts'), { recursive: true });
    nowMs += 23 * 3_600_000;
    expect(await fresh.names(source, forProject('team-a'))).toEqual(['first']);
    nowMs += 2 * 3_600_000;
    for (const each of [fresh, await open({ ...options, folder: test.folder })])
      expect(await each.names(source, forProject('team-a'))).toEqual(['second']);
  });
});
