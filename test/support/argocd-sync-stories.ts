/** What a sync does in its order, what stops it, and what a restart leaves of it: told with the stock client, the same on every home. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage, deployment, type StageParts } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 60_000 };

function job(name: string, annotations: Readonly<Record<string, string>>, command = ['true']): string {
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example.com/run:1', command }] } },
    },
  });
}

function withAnnotations(manifest: string, annotations: Readonly<Record<string, string>>): string {
  const object = JSON.parse(manifest) as { metadata: object };
  return JSON.stringify({ ...object, metadata: { ...object.metadata, annotations } });
}

const hook = (type: string): Record<string, string> => ({ 'argocd.argoproj.io/hook': type });
const wave = (number: number): Record<string, string> => ({ 'argocd.argoproj.io/sync-wave': String(number) });

export function describeSyncStories(open: () => Promise<StageParts>): void {
  let stage: Stage;
  const parts = (): StageParts => stage.parts;

  beforeAll(async () => {
    stage = new Stage(await open());
    await stage.signIn();
    await parts().repository.commit({
      'hooked/before.json': job('before', hook('PreSync')),
      'hooked/after.json': job('after', { ...hook('PostSync'), 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' }),
      'hooked/first.json': withAnnotations(deployment('first'), wave(-1)),
      'hooked/second.json': configMap('second'),
      'bad/good.json': configMap('good'),
      'bad/unknown.json': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad' }, dataa: {} }),
      'kinds/one.json': JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } }),
      'kinds/good.json': configMap('good'),
      'secret/secret.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'hidden' },
        stringData: { password: 'hunter2' },
      }),
    });
  }, 120_000);
  afterAll(async () => {
    await stage?.parts.close();
  });

  interface Result {
    readonly kind: string;
    readonly name: string;
    readonly syncPhase?: string;
    readonly hookPhase?: string;
    readonly status?: string;
    readonly message?: string;
  }
  const resultsOf = async (name: string): Promise<readonly Result[]> => {
    const { status } = await stage.get(name);
    return status?.operationState?.syncResult?.resources ?? [];
  };

  it('runs hooks around waves, each when the one before is ready, and cleans up', slow, async () => {
    await stage.create('hooked', 'hooked');
    await stage.argocd('app', 'sync', 'hooked');
    const results = await resultsOf('hooked');
    expect(results.map(({ name, syncPhase }) => `${syncPhase} ${name}`)).toEqual([
      'PreSync before',
      'Sync first',
      'Sync second',
      'PostSync after',
    ]);
    expect(results.filter(({ syncPhase }) => syncPhase !== 'Sync').map(({ hookPhase }) => hookPhase)).toEqual(['Succeeded', 'Succeeded']);
    await waitUntil(async () => !(await stage.live('jobs')).includes('job.batch/after'));
    expect(await stage.live('jobs')).toEqual(['job.batch/before']);
    const uid = await stage.kubectl('get', 'job', 'before', '--output', 'jsonpath={.metadata.uid}');
    await stage.waitForState('hooked', 'Synced Healthy');
    // The next sync runs it anew.
    await stage.argocd('app', 'sync', 'hooked');
    expect(await stage.kubectl('get', 'job', 'before', '--output', 'jsonpath={.metadata.uid}')).not.toBe(uid);
    await stage.argocd('app', 'delete', 'hooked', '--yes', '--wait');
  });

  it('changes nothing where one of the manifests is bad', slow, async () => {
    await stage.create('bad', 'bad');
    const said = await stage.argocdFails(1, 'app', 'sync', 'bad');
    expect(said).toMatch(/Message: +one or more synchronization tasks are not valid: .*unknown field "dataa"/);
    expect(await stage.live('configmaps')).toEqual([]);
    await stage.argocd('app', 'delete', 'bad', '--yes', '--wait');
    await stage.create('kinds', 'kinds');
    const missing = await stage.argocdFails(1, 'app', 'sync', 'kinds');
    expect(missing).toContain('Make sure the "Widget" CRD is installed on the destination cluster.');
    expect(await stage.live('configmaps')).toEqual([]);
    await stage.argocd('app', 'delete', 'kinds', '--yes', '--wait');
  });

  it('does only a part where that is asked for, and records no deployment for it', slow, async () => {
    await stage.create('part', 'hooked');
    // The client looks for the resource among those that were found.
    await stage.waitForState('part', 'OutOfSync Missing');
    await stage.argocd('app', 'sync', 'part', '--resource', ':ConfigMap:second');
    expect(await stage.live('configmaps', 'deployments', 'jobs')).toEqual(['configmap/second']);
    expect((await stage.get('part')).status?.history ?? []).toEqual([]);
    await stage.argocd('app', 'delete', 'part', '--yes', '--wait');
  });

  it('does what a project allows and nothing else', slow, async () => {
    await stage.argocd('proj', 'create', 'narrow', '--src', '*', '--dest', `*,${parts().namespace}`);
    await stage.argocd('proj', 'deny-namespace-resource', 'narrow', '', 'ConfigMap');
    await stage.create('narrow', 'hooked', '--project', 'narrow');
    const said = await stage.argocdFails(1, 'app', 'sync', 'narrow');
    expect(said).toContain('resource :ConfigMap is not permitted in project narrow');
    expect(await stage.live('configmaps', 'deployments', 'jobs')).toEqual([]);
    const refused = ['--project', 'narrow', '--dest-namespace', 'elsewhere'];
    expect(await stage.argocdFails(20, ...stage.createArguments('refused', 'hooked', ...refused))).toContain(
      "do not match any of the allowed destinations in project 'narrow'",
    );
    expect(await stage.argocdFails(20, 'proj', 'delete', 'narrow')).toContain('project is referenced by 1 applications');
    await stage.argocd('app', 'delete', 'narrow', '--yes', '--wait');
    await stage.argocd('proj', 'delete', 'narrow');
  });

  it('shows no value of a Secret', slow, async () => {
    await stage.create('secret', 'secret');
    await stage.argocd('app', 'sync', 'secret');
    const encoded = Buffer.from('hunter2').toString('base64');
    const shown = [
      await stage.argocd('app', 'manifests', 'secret', '--source', 'git'),
      await stage.argocd('app', 'manifests', 'secret', '--source', 'live'),
      await stage.argocd('app', 'get-resource', 'secret', '--kind', 'Secret', '-o', 'yaml'),
      await stage.argocd('app', 'diff', 'secret'),
      await stage.argocd('app', 'get', 'secret', '-o', 'json'),
    ].join('\n');
    expect(shown).toContain('++++++++');
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain(encoded);
    expect(await stage.kubectl('get', 'secret', 'hidden', '--output', 'jsonpath={.data.password}')).toBe(encoded);
    await stage.argocd('app', 'delete', 'secret', '--yes', '--wait');
  });

  it('tries again as often as it is told to, and then says so', slow, async () => {
    await stage.create('retried', 'hooked', '--dest-namespace', 'not-there-yet');
    const args = ['app', 'sync', 'retried', '--retry-limit', '1', '--retry-backoff-duration', '1s', '--retry-backoff-factor', '1'];
    expect(await stage.argocdFails(1, ...args)).toMatch(/Message: +.*\(retried 1 times\)\./);
    await stage.argocd('app', 'delete', 'retried', '--yes', '--wait');
  });
}
