import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appProjectType } from '../../src/model/index.ts';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { callerWith, signInAsAdmin, type RestAnswer, type RestCaller } from '../support/rest-caller.ts';
import { hook, job, map, wave } from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const applications = '/api/v1/applications';
const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const slow = { timeout: 60_000 };
let fairway: Fairway;
let repository: GitRepository;
let admin: RestCaller;
let api: HttpKubeApi;

beforeAll(async () => {
  const slowly = { ...job('run', hook('PreSync'), ['sleep', '600']) };
  repository = await createGitRepository({
    'app/a.json': configMap('a'),
    'slow/run.json': JSON.stringify(slowly),
    'slow/c.json': configMap('c'),
    'waves/first.json': JSON.stringify(job('first', { ...hook('Sync'), ...wave(0) }, ['sleep', '600'])),
    'waves/second.json': JSON.stringify(map('second', {}, wave(1))),
  });
  fairway = await startFairway({ args: ['--log-format', 'json'] });
  admin = await signInAsAdmin(fairway);
  api = await connectToFairway(fairway);
}, 60_000);
afterAll(async () => {
  await api.close();
  await fairway.stop();
  await repository.remove();
});

function create(name: string, path = 'app', more: object = {}, caller: RestCaller = admin): Promise<RestAnswer> {
  const source = { repoURL: repository.url, path, targetRevision: 'HEAD' };
  return caller('POST', applications, { metadata: { name }, spec: { project: 'default', source, destination, ...more } });
}

async function createProject(name: string, spec: object = {}): Promise<void> {
  const all = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...spec };
  const metadata = { name, namespace: 'argocd' };
  await api.create(appProjectType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec: all } as KubeObject);
}

const messageOf = async (name: string): Promise<string> => {
  const { json } = await admin('GET', `${applications}/${name}`);
  const status = json['status'] as { operationState?: { message?: string } } | undefined;
  return status?.operationState?.message ?? '';
};

describe('Races', () => {
  it('RACE-03: two who change different fields at the same time both have their way', slow, async () => {
    await create('raced');
    const patch = (text: string) => admin('PATCH', `${applications}/raced`, { patch: text, patchType: 'merge' });
    for (let round = 1; round <= 15; round++) {
      const answers = await Promise.all([
        patch(JSON.stringify({ spec: { revisionHistoryLimit: round } })),
        patch(JSON.stringify({ metadata: { labels: { round: String(round) } } })),
        patch(JSON.stringify({ spec: { info: [{ name: 'round', value: String(round) }] } })),
      ]);
      expect(answers.map(({ status, text }) => (status === 200 ? '' : text))).toEqual(['', '', '']);
      const { json } = await admin('GET', `${applications}/raced`);
      expect(json).toMatchObject({
        metadata: { labels: { round: String(round) } },
        spec: { revisionHistoryLimit: round, info: [{ name: 'round', value: String(round) }] },
      });
    }
  });

  it('RACE-04: a project that is tightened while a sync runs stops what is left of it', slow, async () => {
    await createProject('tight');
    await create('tightened', 'waves', { project: 'tight' });
    await admin('POST', `${applications}/tightened/sync`, {});
    await waitUntil(async () => (await messageOf('tightened')).startsWith('waiting for completion of hook'));
    const spec = { namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }] };
    await api.patch(appProjectType, { namespace: 'argocd', name: 'tight' }, { type: 'merge', body: { spec } });
    const body = { status: { conditions: [{ type: 'Complete', status: 'True' }], succeeded: 1 } };
    await api.patch(jobs, { namespace: 'default', name: 'first' }, { type: 'merge', body }, { subresource: 'status' });
    await waitUntil(async () => (await messageOf('tightened')).includes('resource :ConfigMap is not permitted in project tight'));
    const { items } = await api.list(kinds.configMap, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('second');
  });

  it('RACE-05: of many who create one name, in several projects, one wins', slow, async () => {
    await createProject('other');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create('contested', 'app', { project: index % 2 === 0 ? 'default' : 'other' })),
    );
    const { json } = await admin('GET', `${applications}/contested`);
    const { project } = json['spec'] as { project: string };
    // Those who wanted the same are content with what there is; the others are told.
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, index) => ((index % 2 === 0 ? 'default' : 'other') === project ? 200 : 400)),
    );
  });

  it('RACE-06: of many syncs at once one is begun, and terminating meets it or nothing', slow, async () => {
    await create('crowded', 'slow');
    const sync = () => admin('POST', `${applications}/crowded/sync`, {});
    const answers = await Promise.all(Array.from({ length: 10 }, sync));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, json } of answers)
      if (status !== 200) expect(json).toMatchObject({ code: 9, message: 'another operation is already in progress' });
    const ends = await Promise.all([
      ...Array.from({ length: 5 }, () => admin('DELETE', `${applications}/crowded/operation`)),
      sync(),
      sync(),
    ]);
    expect(ends.slice(0, 5).some(({ status }) => status === 200)).toBe(true);
    for (const { status } of ends) expect([200, 400]).toContain(status);
    await waitUntil(async () => {
      await admin('DELETE', `${applications}/crowded/operation`);
      return (await admin('GET', `${applications}/crowded`)).json['operation'] === undefined;
    });
  });
});

interface AuditRecord {
  readonly message: string;
  readonly user: string;
  readonly call: string;
  readonly decision: string;
  readonly target: Readonly<Record<string, string>>;
}

const records = (): readonly AuditRecord[] =>
  fairway
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as AuditRecord & { msg?: string })
    .filter((line) => line.message === 'audit' || line.msg === 'audit');

/** Somebody who may do nothing. */
async function makeAccount(name: string): Promise<RestCaller> {
  const data = { [`accounts.${name}`]: 'apiKey' };
  await api.patch(kinds.configMap, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body: { data } });
  const token = await waitUntil(async () => (await admin('POST', `/api/v1/account/${name}/token`, {})).json['token']);
  return callerWith(fairway, String(token));
}

describe('The record of what was done', () => {
  it('AUD-01: has one entry for each call that changes something, and for each that is denied, and no secret', slow, async () => {
    const before = records().length;
    await create('audited');
    await admin('POST', `${applications}/audited/sync`, {});
    await admin('GET', `${applications}/audited`);
    const secret = 'hunter2-of-a-repository';
    await admin('POST', '/api/v1/repositories?upsert=true', {
      repo: 'https://user:inline-secret@127.0.0.1:1/x.git',
      username: 'u',
      password: secret,
    });
    const { token } = (await admin('POST', '/api/v1/projects/default/roles/none/token', {})).json as { token?: string };
    expect(token).toBeUndefined();
    const mallory = await makeAccount('mallory');
    expect((await mallory('DELETE', `${applications}/audited`)).status).toBe(403);
    const since = records().slice(before);
    const entry = (call: string) => since.filter((record) => record.call === call);
    expect(entry('/application.ApplicationService/Create')).toMatchObject([
      { user: 'admin', decision: 'done', target: { name: 'audited' }, issuer: 'argocd', security: 1, transport: 'rest' },
    ]);
    expect(entry('/application.ApplicationService/Sync')).toMatchObject([{ user: 'admin', decision: 'done', target: { name: 'audited' } }]);
    expect(entry('/application.ApplicationService/Delete')).toMatchObject([
      { user: 'mallory', decision: 'denied', target: { name: 'audited' }, code: 'PermissionDenied', security: 2 },
    ]);
    expect(entry('/application.ApplicationService/Get')).toEqual([]);
    expect(entry('/repository.RepositoryService/CreateRepository').length + entry('/repository.RepositoryService/Create').length).toBe(1);
    expect(fairway.output()).not.toContain(secret);
    expect(fairway.output()).not.toContain('inline-secret');
  });

  it('AUD-01: says who was denied what', slow, async () => {
    const eve = await makeAccount('eve');
    expect((await create('stolen', 'app', {}, eve)).status).toBe(403);
    expect((await eve('GET', `${applications}/audited`)).status).toBe(403);
    const denied = records().filter(({ user }) => user === 'eve');
    expect(denied.map(({ call, decision }) => `${call} ${decision}`)).toEqual([
      '/application.ApplicationService/Create denied',
      '/application.ApplicationService/Get denied',
    ]);
    expect(denied[0]).toMatchObject({ security: 2, code: 'PermissionDenied' });
  });

  it('AUD-03: is written before the answer, so that a kill right after it loses nothing', slow, async () => {
    await create('last');
    process.kill(fairway.pid, 'SIGKILL');
    await waitUntil(() =>
      records().some(({ call, target }) => call === '/application.ApplicationService/Create' && target['name'] === 'last'),
    );
  });
});
