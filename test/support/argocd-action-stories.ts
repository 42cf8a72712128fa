/** What people do to single resources, told with the stock client: the same on every home. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployment, Stage, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 90_000 };

const cronJob = JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly' },
  spec: {
    schedule: '0 3 1 1 *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/job:1' }] } } } },
  },
});

const suspendedJob = JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'waiting' },
  spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/job:1' }] } } },
});

const customActions = `
discovery.lua: |
  return {["mark"] = {["displayName"] = "Mark it"}, ["copy"] = {}, ["steal"] = {}}
definitions:
- name: mark
  action.lua: |
    obj.data.marked = "yes"
    return obj
- name: copy
  action.lua: |
    local copy = {apiVersion = "v1", kind = "ConfigMap", metadata = {name = obj.metadata.name .. "-copy"}, data = obj.data}
    return {{operation = "create", resource = copy}}
- name: steal
  action.lua: |
    obj.metadata.name = "another"
    return obj
`;

export function describeActionStories(open: () => Promise<StageParts>): void {
  let stage: Stage;
  const settings = (data: object): Promise<void> =>
    stage.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: stage.parts.controlNamespace }, data }]);
  const run = (...args: readonly string[]): Promise<string> => stage.argocd('app', 'actions', 'run', 'acting', ...args);
  const list = (...args: readonly string[]): Promise<string> => stage.argocd('app', 'actions', 'list', 'acting', ...args);

  beforeAll(async () => {
    stage = new Stage(await open());
    await stage.signIn();
    await stage.parts.repository.commit({
      'acting/deployment.json': deployment('acting'),
      'acting/cron-job.json': cronJob,
      'acting/map.json': configMap('notes'),
      'jobs/job.json': suspendedJob,
    });
    await stage.create('acting', 'acting');
    await stage.argocd('app', 'sync', 'acting');
    await stage.argocd('app', 'wait', 'acting', '--health', '--timeout', '60');
  }, 180_000);
  afterAll(async () => {
    await stage?.argocd('app', 'delete', 'acting', '--yes', '--wait');
    await stage?.parts.close();
  }, 60_000);

  it('lists actions of all resources, or of some', slow, async () => {
    const lines = (await list())
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ').trim());
    expect(lines[0]).toBe('GROUP KIND NAME ACTION DISABLED');
    expect(lines.slice(1).toSorted()).toEqual([
      'apps Deployment acting pause false',
      'apps Deployment acting restart false',
      'apps Deployment acting resume true',
      'apps Deployment acting scale false',
      'argoproj.io Application acting toggle-auto-sync false',
      'batch CronJob nightly create-job false',
      'batch CronJob nightly suspend false',
    ]);
    const some = JSON.parse(await list('--kind', 'CronJob', '--out', 'json')) as readonly object[];
    expect(some).toContainEqual({ Group: 'batch', Kind: 'CronJob', Name: 'nightly', Action: 'create-job', Disabled: false });
    expect(some).toHaveLength(2);
  });

  it('restarts a Deployment, and pauses and resumes it', slow, async () => {
    expect(await run('restart', '--kind', 'Deployment', '--resource-name', 'acting')).toBe('');
    const stamp = '{.spec.template.metadata.annotations.kubectl\\.kubernetes\\.io/restartedAt}';
    expect(await stage.kubectl('get', 'deployment', 'acting', '--output', `jsonpath=${stamp}`)).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    );
    await run('pause', '--kind', 'Deployment');
    expect(await stage.kubectl('get', 'deployment', 'acting', '--output', 'jsonpath={.spec.paused}')).toBe('true');
    await waitUntil(async () => /resume +false/.test(await list('--kind', 'Deployment')));
    await run('resume', '--kind', 'Deployment');
    expect(await stage.kubectl('get', 'deployment', 'acting', '--output', 'jsonpath={.spec.paused}')).toBe('');
  });

  it('runs a CronJob now, whose Job hangs below it', slow, async () => {
    await run('create-job', '--kind', 'CronJob');
    expect(await stage.live('jobs')).toEqual([expect.stringMatching(/^job\.batch\/nightly-\d{10}$/)]);
    await waitUntil(async () => /CronJob\/nightly[^]*Job\/nightly-\d{10}/.test(await stage.argocd('app', 'get', 'acting', '-o', 'tree')));
  });

  it('ends a Job by what it writes into its status', slow, async () => {
    await stage.create('ending', 'jobs');
    await stage.argocd('app', 'sync', 'ending', '--async');
    const actions = (...args: readonly string[]): Promise<string> => stage.argocd('app', 'actions', ...args, '--kind', 'Job');
    await waitUntil(async () => /terminate +false/.test(await actions('list', 'ending')));
    await actions('run', 'ending', 'terminate');
    const conditions = ['get', 'job', 'waiting', '--output', 'jsonpath={.status.conditions[*].type}'];
    await waitUntil(async () => (await stage.kubectl(...conditions)).includes('FailureTarget'));
    await stage.argocd('app', 'delete', 'ending', '--yes', '--wait');
  });

  it('says what cannot be done', slow, async () => {
    const fails = (...args: readonly string[]): Promise<string> => stage.argocdFails(20, 'app', 'actions', 'run', 'acting', ...args);
    expect(await fails('explode', '--kind', 'Deployment')).toContain('built-in script does not exist');
    expect(await fails('scale', '--kind', 'Deployment')).toContain('invalid number');
    expect(await fails('restart', '--kind', 'StatefulSet')).toContain('no matching resource found');
  });

  it('tells who did what', slow, async () => {
    const events = [
      'get',
      'events',
      '--namespace',
      stage.parts.controlNamespace,
      '--output',
      'jsonpath={range .items[*]}{.reason} {.message}{"\\n"}{end}',
    ];
    const said = await stage.kubectl(...events);
    expect(said).toContain('ResourceActionRan admin ran action restart on resource apps/Deployment/acting');
    expect(said).toContain('ResourceActionRan admin ran action restart\n');
  });

  it('switches the automated sync of the application itself on and off', slow, async () => {
    const isAutomated = async (): Promise<boolean | undefined> => (await stage.get('acting')).spec.syncPolicy?.automated?.enabled;
    await run('toggle-auto-sync', '--kind', 'Application');
    expect(await isAutomated()).toBe(true);
    await run('toggle-auto-sync', '--kind', 'Application');
    expect(await isAutomated()).toBe(false);
  });

  it('offers and runs what settings bring, as soon as they do', slow, async () => {
    await settings({ 'resource.customizations.actions.ConfigMap': customActions });
    await waitUntil(async () => /mark +false/.test(await list('--kind', 'ConfigMap')));
    await run('mark', '--kind', 'ConfigMap');
    expect(await stage.kubectl('get', 'configmap', 'notes', '--output', 'jsonpath={.data}')).toContain('"marked":"yes"');
    await run('copy', '--kind', 'ConfigMap');
    expect(await stage.live('configmaps')).toContain('configmap/notes-copy');
    expect(await stage.argocdFails(20, 'app', 'actions', 'run', 'acting', 'steal', '--kind', 'ConfigMap')).toContain(
      'an action can patch only the resource that it is run on',
    );
  });

  it('judges health by what settings say, as soon as they do', slow, async () => {
    await stage.waitForState('acting', 'Synced Healthy');
    await settings({
      'resource.customizations.health.ConfigMap': 'return {status = "Degraded", message = obj.metadata.name .. " is ill"}',
    });
    await stage.waitForState('acting', 'Synced Degraded');
    expect(await stage.argocd('app', 'get', 'acting')).toMatch(/ConfigMap +\S+ +notes +Synced +Degraded/);
    await settings({ 'resource.customizations': 'ConfigMap:\n  health.lua: |\n    return {status = "Suspended"}\n' });
    await stage.waitForState('acting', 'Synced Suspended');
    await settings({});
    await stage.waitForState('acting', 'Synced Healthy');
  });
}
