/** Every flag of the stock client that starts, watches, ends or undoes a sync, on every home. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Application } from '../../src/model/index.ts';
import { Stage, deployment, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 90_000 };

export function describeSyncFlags(open: () => Promise<StageParts>): void {
  let stage: Stage;
  const parts = (): StageParts => stage.parts;
  beforeAll(async () => {
    stage = new Stage(await open());
    await stage.signIn();
    await parts().repository.commit({
      'flags/a.json': configMap('a'),
      'flags/b.json': JSON.stringify({ ...JSON.parse(configMap('b')), metadata: { name: 'b', labels: { part: 'back' } } }),
      'flags/web.json': deployment('web'),
      'slow/run.json': JSON.stringify({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'run', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example.com/run:1', command: ['sleep', '600'] }] },
          },
        },
      }),
      'slow/c.json': configMap('c'),
    });
  }, 120_000);
  afterAll(async () => {
    await stage?.parts.close();
  });

  const stateOf = async (name: string) => (await stage.get(name)).status?.operationState;

  it('syncs without waiting, and waits for what it is told to wait for', slow, async () => {
    await stage.create('flags', 'flags', '--label', 'tier=one');
    await stage.waitForState('flags', 'OutOfSync Missing');
    expect(await stage.argocd('app', 'sync', 'flags', '--async', '--info', 'ticket=42', '--timeout', '60')).toBe('');
    for (const what of ['--operation', '--sync', '--health']) await stage.argocd('app', 'wait', 'flags', what, '--timeout', '60');
    const waited = await stage.argocd('app', 'wait', 'flags', '--resource', 'apps:Deployment:web', '--output', 'json');
    expect((JSON.parse(waited) as Application).metadata.name).toBe('flags');
    expect(await stage.argocd('app', 'wait', '--selector', 'tier=one', '--output', 'tree')).toContain('Deployment/web');
    expect(await stateOf('flags')).toMatchObject({ phase: 'Succeeded', operation: { info: [{ name: 'ticket', value: '42' }] } });
    expect(await stage.argocdFails(20, 'app', 'wait', 'flags', '--suspended', '--timeout', '1')).toContain(
      'timed out (1s) waiting for app "flags"',
    );
  });

  it('syncs some resources, and all but some', slow, async () => {
    await stage.argocd('app', 'sync', 'flags', '--resource', ':ConfigMap:a', '--resource', 'apps:Deployment:web');
    expect((await stateOf('flags'))?.syncResult?.resources?.map(({ name }) => name)).toEqual(['a', 'web']);
    await stage.argocd('app', 'sync', 'flags', '--resource', '!:ConfigMap:*');
    expect((await stateOf('flags'))?.syncResult?.resources?.map(({ name }) => name)).toEqual(['web']);
    await stage.argocd('app', 'sync', 'flags', '--label', 'part=back');
    expect((await stateOf('flags'))?.syncResult?.resources?.map(({ name }) => name)).toEqual(['b']);
  });

  it('shows the outcome in every form', slow, async () => {
    expect(await stage.argocd('app', 'sync', 'flags')).toMatch(/^ +ConfigMap +\S+ +a +Synced +configmap\/a unchanged/m);
    const json = await stage.argocd('app', 'sync', 'flags', '--output', 'json');
    expect((JSON.parse(json.slice(json.indexOf('{'))) as Application).status?.operationState?.phase).toBe('Succeeded');
    expect(await stage.argocd('app', 'sync', 'flags', '--output', 'yaml')).toContain('phase: Succeeded');
    expect(await stage.argocd('app', 'sync', 'flags', '--output', 'tree=detailed')).toMatch(/Deployment\/web +Synced/);
  });

  it('says how to apply', slow, async () => {
    const messages = async (...flags: readonly string[]): Promise<string> => {
      await stage.argocd('app', 'sync', 'flags', '--resource', ':ConfigMap:a', ...flags);
      return (await stateOf('flags'))?.syncResult?.resources?.[0]?.message ?? '';
    };
    expect(await messages('--dry-run')).toBe('configmap/a unchanged (dry run)');
    expect(await messages('--force')).toBe('configmap/a unchanged');
    expect(await messages('--server-side')).toBe('configmap/a serverside-applied');
    expect(await messages('--replace')).toBe('configmap/a replaced');
    await stage.argocd('app', 'sync', 'flags', '--strategy', 'apply');
    expect((await stateOf('flags'))?.operation.sync?.syncStrategy).toEqual({ apply: {} });
    await stage.argocd('app', 'sync', 'flags', '--apply-out-of-sync-only');
    expect((await stateOf('flags'))?.syncResult?.resources ?? []).toEqual([]);
  });

  it('says how often to try again', slow, async () => {
    const retry = [
      '--retry-limit',
      '2',
      '--retry-backoff-duration',
      '1s',
      '--retry-backoff-factor',
      '3',
      '--retry-backoff-max-duration',
      '9s',
    ];
    await stage.argocd('app', 'sync', 'flags', ...retry, '--retry-refresh');
    expect((await stateOf('flags'))?.operation.retry).toEqual({
      limit: 2,
      backoff: { duration: '1s', factor: 3, maxDuration: '9s' },
      refresh: true,
    });
  });

  it('syncs many applications by label and by project', slow, async () => {
    await stage.create('second', 'flags', '--label', 'tier=one');
    const said = await stage.argocd('app', 'sync', '--selector', 'tier=one');
    expect(said).toMatch(/Name: +argocd\/flags|Name: +\S*\/?flags/);
    expect((await stateOf('second'))?.phase).toBe('Succeeded');
    expect(await stage.argocd('app', 'sync', '--project', 'default', '--async')).toContain('');
    await stage.argocd('app', 'wait', '--selector', 'tier=one', '--operation');
    await stage.argocd('app', 'delete', 'second', '--cascade=false', '--yes', '--wait');
    // What both had is the first one's again.
    await stage.argocd('app', 'sync', 'flags');
  });

  it('syncs what is in a folder of the person, and shows it', slow, async () => {
    const folder = join(parts().fairway.dataDir, 'local');
    await mkdir(join(folder, 'flags'), { recursive: true });
    await writeFile(join(folder, 'flags', 'a.json'), configMap('a', { key: 'local' }));
    await writeFile(join(folder, 'flags', 'b.json'), configMap('b'));
    await writeFile(join(folder, 'flags', 'web.json'), deployment('web'));
    const local = ['--local', join(folder, 'flags'), '--local-repo-root', folder];
    expect(await stage.argocd('app', 'manifests', 'flags', ...local)).toContain('key: local');
    await stage.argocd('app', 'sync', 'flags', ...local);
    expect(await stage.kubectl('get', 'configmap', 'a', '--output', 'jsonpath={.data.key}')).toBe('local');
    await stage.argocd('app', 'sync', 'flags');
    expect(await stage.kubectl('get', 'configmap', 'a', '--output', 'jsonpath={.data.key}')).toBe('value');
  });

  it('shows what a sync would change before it does', slow, async () => {
    await parts().repository.commit({ 'flags/a.json': configMap('a', { key: 'previewed' }) });
    await stage.get('flags', '--refresh');
    const said = await stage.argocd('app', 'sync', 'flags', '--preview-changes', '--assumeYes');
    expect(said).toMatch(/====== Previewing differences between live and desired state of application \S*flags ======/);
    expect(said).toMatch(/[<>] +key: previewed/);
    expect(await stage.kubectl('get', 'configmap', 'a', '--output', 'jsonpath={.data.key}')).toBe('previewed');
  });

  it('goes to a revision, and back by history', slow, async () => {
    const revision = await parts().repository.git('rev-parse', 'HEAD');
    const before = await parts().repository.git('rev-parse', 'HEAD~1');
    await stage.argocd('app', 'sync', 'flags', '--revision', before);
    expect(await stage.kubectl('get', 'configmap', 'a', '--output', 'jsonpath={.data.key}')).toBe('value');
    await stage.argocd('app', 'sync', 'flags', '--revision', revision);
    const ids = (await stage.argocd('app', 'history', 'flags', '--output', 'id')).trim().split('\n');
    await stage.argocd('app', 'rollback', 'flags', ids.at(-2) ?? '', '--prune', '--timeout', '60');
    expect(await stage.kubectl('get', 'configmap', 'a', '--output', 'jsonpath={.data.key}')).toBe('value');
    expect(await stage.argocd('app', 'history', 'flags')).toMatch(new RegExp(`\\(${before.slice(0, 7)}\\)`));
    expect(await stage.argocdFails(20, 'app', 'rollback', 'flags', '999')).toContain('999');
  });

  it('goes to a revision of one of several sources', slow, async () => {
    const { repository, repositoryUrl } = parts();
    const old = await repository.commit({ 'pair/one/one.json': configMap('one'), 'pair/two/two.json': configMap('two') });
    const sources = ['pair/one', 'pair/two'].map((path) => ({ repoURL: repositoryUrl, path, targetRevision: 'HEAD' }));
    await stage.apply([stage.application('pair', '', { source: undefined, sources })]);
    await stage.argocd('app', 'sync', 'pair');
    const recent = await repository.commit({
      'pair/one/one.json': configMap('one', { key: 'new' }),
      'pair/two/two.json': configMap('two', { key: 'new' }),
    });
    await stage.argocd('app', 'sync', 'pair', '--revisions', old, '--source-positions', '2');
    expect((await stateOf('pair'))?.syncResult?.revisions).toEqual([recent, old]);
    const valueOf = (name: string) => stage.kubectl('get', 'configmap', name, '--output', 'jsonpath={.data.key}');
    expect([await valueOf('one'), await valueOf('two')]).toEqual(['new', 'value']);
    const both = ['--revisions', old, '--source-positions', '1', '--revisions', recent, '--source-positions', '2'];
    await stage.argocd('app', 'sync', 'pair', ...both);
    expect([await valueOf('one'), await valueOf('two')]).toEqual(['value', 'new']);
    expect(await stage.argocdFails(20, 'app', 'sync', 'pair', '--revisions', old, '--source-positions', '3')).toContain('source position');
    await stage.argocd('app', 'delete', 'pair', '--yes', '--wait');
  });

  it('waits for an application that is ill, and for one that is hydrated', slow, async () => {
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'example.com/a:1' }] } } } };
    const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'ill' }, spec: { schedule: '0 0 1 1 *', jobTemplate } };
    await parts().repository.commit({ 'ill/ill.json': JSON.stringify(cronJob) });
    const patch = async (what: string, body: object): Promise<void> => {
      const args = ['--namespace', parts().controlNamespace, 'patch', what, '--type', 'merge', '--patch', JSON.stringify(body)];
      const { code, stderr } = await parts().kubectl(...args);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    };
    const data = { 'resource.customizations.health.batch_CronJob': 'return {status = "Degraded", message = "ill"}' };
    await patch('configmap/argocd-cm', { data });
    await stage.create('ill', 'ill');
    await stage.argocd('app', 'sync', 'ill', '--async');
    await stage.argocd('app', 'wait', 'ill', '--degraded', '--timeout', '60');
    expect(await stage.state('ill')).toBe('Synced Degraded');
    expect(await stage.argocdFails(20, 'app', 'wait', 'flags', '--degraded', '--timeout', '1')).toContain('timed out');
    expect(await stage.argocdFails(20, 'app', 'wait', 'ill', '--hydrated', '--timeout', '1')).toContain('timed out');
    // As the hydrator of another installation leaves it: we keep what it wrote.
    const drySource = { repoURL: parts().repositoryUrl, path: 'ill', targetRevision: 'HEAD' };
    const sourceHydrator = { drySource, syncSource: { targetBranch: 'main', path: 'ill' } };
    const facts = { drySHA: 'a'.repeat(40), hydratedSHA: 'b'.repeat(40), sourceHydrator };
    const startedAt = '2026-01-01T00:00:00Z';
    const currentOperation = { ...facts, phase: 'Hydrated', message: '', startedAt, finishedAt: startedAt };
    await patch('applications.argoproj.io/ill', { status: { sourceHydrator: { lastSuccessfulOperation: facts, currentOperation } } });
    await stage.argocd('app', 'wait', 'ill', '--hydrated', '--timeout', '60');
    await stage.argocd('app', 'delete', 'ill', '--yes', '--wait');
  });

  it('breaks off what runs', slow, async () => {
    await stage.create('slow', 'slow');
    await stage.argocd('app', 'sync', 'slow', '--async');
    await waitUntil(async () => (await stateOf('slow'))?.message === 'waiting for completion of hook batch/Job/run');
    expect(await stage.argocdFails(20, 'app', 'sync', 'slow')).toContain('another operation is already in progress');
    expect(await stage.argocdFails(20, 'app', 'wait', 'slow', '--operation', '--timeout', '1')).toContain('timed out');
    expect(await stage.argocd('app', 'terminate-op', 'slow')).toMatch(/Application '\S*slow' operation terminating/);
    await stage.argocd('app', 'wait', 'slow', '--operation', '--timeout', '60');
    expect(await stateOf('slow')).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
    expect(await stage.argocdFails(20, 'app', 'terminate-op', 'slow')).toContain(
      'Unable to terminate operation. No operation is in progress',
    );
  });

  it('deletes a resource of an application', slow, async () => {
    await stage.argocd('app', 'delete-resource', 'flags', '--kind', 'ConfigMap', '--resource-name', 'b', '--namespace', parts().namespace);
    await waitUntil(async () => !(await stage.live('configmaps')).includes('configmap/b'));
    await stage.argocd('app', 'delete-resource', 'flags', '--kind', 'Deployment', '--group', 'apps', '--resource-name', 'web', '--force');
    await waitUntil(async () => !(await stage.live('deployments')).includes('deployment.apps/web'));
  });

  it('deletes applications by label, in each way, after asking where that is wanted', slow, async () => {
    await parts().repository.commit({
      'asked/d.json': JSON.stringify({
        ...JSON.parse(configMap('d')),
        metadata: { name: 'd', annotations: { 'argocd.argoproj.io/sync-options': 'Delete=confirm' } },
      }),
    });
    await stage.create('asked', 'asked', '--label', 'tier=two');
    await stage.argocd('app', 'sync', 'asked');
    expect(await stage.argocdFails(20, 'app', 'delete', 'asked', '--propagation-policy', 'sideways', '--yes')).toContain(
      'invalid propagation policy',
    );
    await stage.argocd('app', 'delete', '--selector', 'tier=two', '--propagation-policy', 'background', '--yes');
    await waitUntil(async () => (await stage.get('asked')).metadata.deletionTimestamp !== undefined);
    expect(await stage.live('configmaps')).toContain('configmap/d');
    const [waited] = await Promise.all([
      parts().user.run('app', 'wait', 'asked', '--delete', '--timeout', '60'),
      stage.argocd('app', 'confirm-deletion', 'asked'),
    ]);
    // Whoever asks when it is gone already is told nothing about it.
    if (waited.code !== 0) expect(`${waited.stdout}${waited.stderr}`).toContain('permission denied');
    await waitUntil(async () => !(await stage.live('configmaps')).includes('configmap/d'));
    await stage.argocd('app', 'delete', 'flags', '--wait', '--yes');
    await stage.argocd('app', 'delete', 'slow', '--wait', '--yes', '--propagation-policy', 'foreground');
    expect(await stage.live('configmaps', 'deployments')).toEqual([]);
  });

  it('sets and takes away automation', slow, async () => {
    await stage.create('policy', 'flags');
    await stage.argocd('app', 'set', 'policy', '--sync-policy', 'automated', '--auto-prune', '--self-heal', '--allow-empty');
    await stage.waitForState('policy', 'Synced Healthy');
    expect((await stage.get('policy')).spec.syncPolicy?.automated).toMatchObject({ prune: true, selfHeal: true, allowEmpty: true });
    expect(await stage.argocdFails(20, 'app', 'rollback', 'policy', '0')).toContain(
      'rollback cannot be initiated when auto-sync is enabled',
    );
    expect(await stage.argocdFails(20, 'app', 'sync', 'policy', '--revision', 'HEAD~1')).toContain('auto-sync currently set to');
    await stage.argocd('app', 'set', 'policy', '--sync-policy', 'none');
    expect((await stage.get('policy')).spec.syncPolicy?.automated).toBeUndefined();
    await stage.argocd('app', 'delete', 'policy', '--wait', '--yes');
  });
}
