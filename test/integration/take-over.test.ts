/**
 * A whole move: the real Argo CD deploys the corpus, Fairway shadows it, takes over, changes things, and Argo CD comes back. A few
 * applications of each sort, unless TAKE_OVER_SIZE says `whole`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { applicationType, readApplication } from '../../src/model/index.ts';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import type { Fairway } from '../support/fairway.ts';
import {
  describeVerdict,
  describeVerdicts,
  readDifferences,
  startTakingOver,
  takeOverFairway,
  type ShadowAnswer,
} from '../support/take-over/fairway-side.ts';
import { ADMIN_PASSWORD, applyDrift, openTakeOverScene, readWrites, type TakeOverScene } from '../support/take-over/take-over-scene.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { BUILD_LIMIT_MS } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

const TRACKINGS = ['annotation', 'label', 'annotation+label'] as const;
const SIZE = process.env['TAKE_OVER_SIZE'] === 'whole' ? 'whole' : 'small';
/** How the installation marks what is an application's; `TAKE_OVER_TRACKING=label` is the older way. */
const TRACKING = TRACKINGS.find((method) => method === process.env['TAKE_OVER_TRACKING']) ?? 'annotation';
const STORY_LIMIT_MS = (SIZE === 'whole' ? 20 : 10) * 60_000;
/** How long a look at all of them may take on a busy machine. */
const LOOK = { timeout: (SIZE === 'whole' ? 8 : 2) * 60_000, interval: 250 };
const JOB = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const POD = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const OWN_LEASES = /\/leases(\/fairway-controller)?$/;

describeWithTool('argocd', 'taking over from Argo CD', (program) => {
  let scene: TakeOverScene;
  let user: ArgocdUser;
  let robotToken: string;

  beforeAll(
    async () => {
      scene = await openTakeOverScene({ size: SIZE, tracking: TRACKING });
      await scene.settle('deployed');
      await applyDrift(scene);
      await scene.settle('drifted');
      user = await createArgocdUser(program());
      await signIn(scene.argocd().address);
      robotToken = (await argocd('account', 'generate-token', '--account', 'robot')).trim();
    },
    BUILD_LIMIT_MS + 2 * STORY_LIMIT_MS,
  );

  afterAll(async () => {
    await user?.[Symbol.asyncDispose]();
    await scene?.close();
  }, 120_000);

  async function argocd(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args, code: 0, said: '' });
    return stdout;
  }

  const signIn = (address: string): Promise<string> =>
    argocd('login', address, '--plaintext', '--username', 'admin', '--password', ADMIN_PASSWORD);

  const auditMark = (): number => statSync(join(scene.plane.folder, 'audit.log')).size;

  /** What Fairway wrote since then; all that it did is in the log when something is that we do now. */
  async function writesSince(mark: number): Promise<readonly string[]> {
    await scene.flushAudit();
    return readWrites(scene.plane, 'fairway/', mark);
  }

  async function withFairway(args: readonly string[], story: (fairway: Fairway) => Promise<void>): Promise<void> {
    const fairway = await startTakingOver(scene, args);
    try {
      await story(fairway);
    } finally {
      await fairway.stop();
    }
  }

  it('sees every application as Argo CD does, once and without a write', { timeout: STORY_LIMIT_MS }, async () => {
    const mark = auditMark();
    const { code, stdout, stderr } = await takeOverFairway(scene, ['shadow', '--json']);
    const report = JSON.parse(stdout) as ShadowAnswer;
    expect({ doubtful: report.applications.filter(({ verdict }) => verdict !== 'agrees' && verdict !== 'skipped'), stderr }).toEqual({
      doubtful: [],
      stderr: '',
    });
    expect(report.sets.applicationSets.filter(({ verdict }) => verdict !== 'agrees')).toEqual([]);
    expect(report.sets.total).toBe(scene.corpus.sets.length);
    expect(report.applications.flatMap(({ name, wouldWrite }) => wouldWrite.map((path) => `${name}: ${path}`))).toEqual([]);
    expect({ code, total: report.total }).toEqual({ code: 0, total: scene.corpus.expected.length });
    expect(await writesSince(mark)).toEqual([]);
  });

  it('sees it as a server, too, which answers those whom Argo CD knows and changes nothing', { timeout: STORY_LIMIT_MS }, async () => {
    const mark = auditMark();
    const { expected } = scene.corpus;
    const outOfSync = expected
      .filter(({ key, state }) => key.startsWith('argocd/drift-') && state.startsWith('OutOfSync'))
      .map(({ key }) => key.slice('argocd/'.length));
    await withFairway(['--shadow'], async (fairway) => {
      const ask = async (path: string): Promise<Response> =>
        fetch(`${fairway.url}${path}`, { headers: { authorization: `Bearer ${robotToken}` } });
      const count = async () => {
        const { counts } = (await (await ask('/api/fairway/v1/shadow')).json()) as ShadowAnswer;
        return { judged: counts.agrees + counts.skipped, pending: counts.pending };
      };
      await expect.poll(count, LOOK).toEqual({ judged: scene.corpus.expected.length, pending: 0 });
      // Whoever may see applications may not see application sets for that.
      expect(((await (await ask('/api/fairway/v1/shadow')).json()) as ShadowAnswer).sets.total).toBe(0);
      expect((await fetch(`${fairway.url}/api/fairway/v1/shadow`)).status).toBe(401);
      const metrics = await (await ask('/metrics')).text();
      expect(metrics).toMatch(/fairway_shadow_applications\{verdict="disagrees"\} 0/);
      expect(metrics).toMatch(/fairway_shadow_applicationsets\{verdict="disagrees"\} 0/);
      for (const name of outOfSync) {
        const theirs = await readDifferences(`http://${scene.argocd().address}`, robotToken, name);
        expect({ name, differences: await readDifferences(fairway.url, robotToken, name) }).toEqual({ name, differences: theirs });
        expect(theirs).not.toEqual({});
      }
      await signIn(fairway.address);
      for (const change of [
        ['app', 'sync', 'plain-web'],
        ['app', 'get', 'plain-web', '--refresh'],
        ['app', 'delete', 'plain-web', '--yes'],
      ]) {
        const { code, stderr } = await user.run(...change);
        expect({ change, code, stderr }).toMatchObject({
          code: 20,
          stderr: expect.stringContaining('nothing is written in shadow mode') as string,
        });
      }
    });
    expect(await writesSince(mark)).toEqual([]);
  });

  it('says so, and why, where it sees something else', { timeout: STORY_LIMIT_MS }, async () => {
    await scene.stopArgocd();
    const ref = { namespace: 'argocd', name: 'plain-web' };
    const patch = (status: string) => scene.api.patch(applicationType, ref, { type: 'merge', body: { status: { sync: { status } } } });
    await patch('OutOfSync');
    // One of a set, which its set would put right.
    const [made] = (await scene.applications()).filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'ApplicationSet');
    const { name = '', namespace = '' } = made?.metadata ?? {};
    const label = (value: string | null) =>
      scene.api.patch(applicationType, { namespace, name }, { type: 'merge', body: { metadata: { labels: { 'by-hand': value } } } });
    await label('yes');
    // Nobody is there any more who might put it right.
    const { code, stdout } = await takeOverFairway(scene, ['shadow', '--shadow-patience', '2']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('argocd/plain-web: disagrees') as string });
    expect(stdout).toContain('sync: ours Synced, theirs OutOfSync');
    expect(stdout).toContain(`application ${name}: ours generated otherwise, theirs there (differs in metadata.labels.by-hand)`);
    await patch('Synced');
    await label(null);
  });

  it('takes over: the first look at what nobody changed writes nothing but its own Leases', { timeout: STORY_LIMIT_MS }, async () => {
    const before = await describeVerdicts(scene);
    const mark = auditMark();
    await withFairway([], async (fairway) => {
      const looked = scene.corpus.expected.length - before.filter((line) => line.includes('skip-reconcile')).length;
      const count = async () => sumOf(await (await fetch(`${fairway.url}/metrics`)).text(), 'argocd_app_reconcile_count');
      await expect.poll(count, LOOK).toBeGreaterThanOrEqual(looked);
      // What the cluster is asked to try on the way of a comparison is nothing that it keeps.
      expect((await writesSince(mark)).filter((line) => !OWN_LEASES.test(line) && !line.endsWith('(tried)'))).toEqual([]);
      expect(await describeVerdicts(scene)).toEqual(before);
      await useAsBefore(fairway);
      await change(fairway);
    });
  });

  /** Tokens, passwords, sessions, rights, projects, repositories, clusters and histories are what they were. */
  async function useAsBefore(fairway: Fairway): Promise<void> {
    const list = (token: string): Promise<Response> =>
      fetch(`${fairway.url}/api/v1/applications`, { headers: { authorization: `Bearer ${token}` } });
    const { items } = (await (await list(robotToken)).json()) as { items: unknown[] };
    expect(items).toHaveLength(scene.corpus.expected.length);
    expect((await list(`${robotToken.slice(0, -4)}AAAA`)).status).toBe(401);
    const refused = await user.run('app', 'sync', 'plain-web', '--server', fairway.address, '--plaintext', '--auth-token', robotToken);
    expect(refused).toMatchObject({ code: 20, stderr: expect.stringContaining('permission denied: applications, sync') as string });
    await signIn(fairway.address);
    expect(await argocd('proj', 'list', '-o', 'name')).toContain('confined');
    expect(await argocd('cluster', 'list')).toContain('https://kubernetes.default.svc');
    expect(await argocd('repo', 'list')).toContain(scene.repositoryUrl);
    expect(await argocd('app', 'history', 'plain-web', '-o', 'id')).toMatch(/^0$/m);
  }

  /** What people do every day, through Fairway. */
  async function change(fairway: Fairway): Promise<void> {
    await signIn(fairway.address);
    await argocd('app', 'sync', 'drift-replicas');
    await argocd('app', 'set', 'plain-config', '--sync-option', 'Validate=false');
    const destination = ['--dest-server', 'https://kubernetes.default.svc', '--dest-namespace', 'work-limits'];
    await argocd('app', 'create', 'made', '--repo', scene.repositoryUrl, '--path', 'plain-config', ...destination, '--sync-policy', 'auto');
    await argocd('app', 'wait', 'made', '--sync', '--health', '--timeout', '60');
    await argocd('app', 'delete', 'kustomize-plain', '--yes', '--wait');
  }

  it('gives back: Argo CD finds everything in order, and has nothing to sync', { timeout: STORY_LIMIT_MS }, async () => {
    const before = await describeVerdicts(scene);
    const syncs = await syncsOf(scene);
    await scene.startArgocd();
    await scene.askForRefresh();
    await scene.settle('given back');
    expect(await describeVerdicts(scene)).toEqual(before);
    expect(await syncsOf(scene)).toEqual(syncs);
    await signIn(scene.argocd().address);
    expect(await argocd('app', 'get', 'made', '-o', 'json')).toContain('"Synced"');
    const { status } = readApplication(await scene.api.get(applicationType, { namespace: 'argocd', name: 'drift-replicas' }));
    expect(describeVerdict(status)).toBe('Synced Healthy');
    await expect(scene.api.get(applicationType, { namespace: 'argocd', name: 'kustomize-plain' })).rejects.toThrow('not found');
  });

  it('finishes a sync that Argo CD began, without doing anything of it twice', { timeout: STORY_LIMIT_MS }, async () => {
    const destination = ['--dest-server', 'https://kubernetes.default.svc', '--dest-namespace', 'work'];
    await argocd('app', 'create', 'interrupted', '--repo', scene.repositoryUrl, '--path', 'interrupted', ...destination);
    await argocd('app', 'sync', 'interrupted', '--async');
    const state = async () =>
      readApplication(await scene.api.get(applicationType, { namespace: 'argocd', name: 'interrupted' })).status?.operationState;
    const hook = async () => (await scene.api.get(JOB, { namespace: 'work', name: 'interrupted-first' })).metadata.uid;
    const begun = await waitUntil(() => hook().catch(() => undefined));
    expect((await state())?.phase).toBe('Running');
    await scene.stopArgocd();
    await withFairway([], async () => {
      expect((await state())?.phase).toBe('Running');
      await endHook();
      await vi.waitUntil(async () => (await state())?.phase !== 'Running', LOOK);
      expect(await state()).toMatchObject({
        phase: 'Succeeded',
        syncResult: { resources: [{ name: 'interrupted-first' }, { name: 'interrupted' }] },
      });
      expect(await hook()).toBe(begun);
    });
  });

  /** Says for the hook's container that it is done. */
  async function endHook(): Promise<void> {
    const name = await waitUntil(async () => {
      const { items } = await scene.api.list(POD, { namespace: 'work', labelSelector: 'job-name=interrupted-first' });
      return items.find(({ status }) => (status as { phase?: string } | undefined)?.phase === 'Running')?.metadata.name;
    });
    const body = { status: { phase: 'Succeeded' } };
    await scene.api.patch(POD, { namespace: 'work', name }, { type: 'merge', body }, { subresource: 'status' });
  }
});

/** When each application was last synced. */
async function syncsOf(scene: TakeOverScene): Promise<readonly string[]> {
  return (await scene.applications()).map((object) => {
    const { metadata, status } = readApplication(object);
    return `${metadata.namespace}/${metadata.name}: ${status?.operationState?.startedAt ?? 'never'}, ${status?.history?.length ?? 0} in the history`;
  });
}

function sumOf(metrics: string, name: string): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}
