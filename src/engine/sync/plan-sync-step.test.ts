import { describe, expect, it } from 'vitest';
import { FAILS, REFUSED, SyncSimulator } from '../../../test/support/sync-simulator.ts';
import type { KubeObject } from '../../objects/index.ts';
import { planNamespace } from './plan-namespace.ts';

const HOOK = 'argocd.argoproj.io/hook';
const POLICY = 'argocd.argoproj.io/hook-delete-policy';
const WAVE = 'argocd.argoproj.io/sync-wave';
const OPTIONS = 'argocd.argoproj.io/sync-options';

function object(apiVersion: string, kind: string, name: string, annotations: Record<string, string> = {}): KubeObject {
  const spec = kind === 'Pod' ? { spec: { restartPolicy: 'Always' } } : {};
  const isSpread = kind === 'Namespace' || kind === 'CustomResourceDefinition';
  return { apiVersion, kind, metadata: { name, ...(!isSpread && { namespace: 'ns' }), annotations }, ...spec };
}
const configMap = (name: string, annotations?: Record<string, string>) => object('v1', 'ConfigMap', name, annotations);
const pod = (name: string, annotations?: Record<string, string>) => object('v1', 'Pod', name, annotations);
const job = (name: string, annotations?: Record<string, string>) => object('batch/v1', 'Job', name, annotations);

describe('A sync without hooks and waves', () => {
  it('applies everything in the order of kinds and names, and has succeeded when that is done', () => {
    const sync = new SyncSimulator({
      desired: [pod('p', { [FAILS]: '' }), configMap('b'), object('v1', 'Namespace', 'ns'), configMap('a')],
    });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
    expect(sync.events).toEqual(['apply ns', 'apply a', 'apply b', 'apply p']);
    expect(sync.results).toMatchObject([{ name: 'ns' }, { name: 'a' }, { name: 'b' }, { name: 'p' }]);
    expect(sync.results[1]).toMatchObject({ status: 'Synced', hookPhase: 'Running', syncPhase: 'Sync', message: 'a created' });
  });

  it('has succeeded at once where nothing is wanted', () => {
    expect(new SyncSimulator({ desired: [] }).run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (no more tasks)' });
  });

  it('changes nothing where a dry run fails', () => {
    const sync = new SyncSimulator({ desired: [configMap('a'), pod('p', { [REFUSED]: 'dryRun' })] });
    const step = sync.step();
    expect(step).toMatchObject({ type: 'finish', phase: 'Failed', message: 'one or more objects failed to apply (dry run)' });
    expect(sync.events).toEqual([]);
    expect(sync.results).toMatchObject([{ name: 'p', status: 'SyncFailed', hookPhase: 'Failed', message: 'refused p' }]);
  });

  it('changes nothing where a task is not permitted', () => {
    const refusalOf = ({ name }: { name: string }) => (name === 'p' ? 'resource :Pod is not permitted in project p' : undefined);
    const sync = new SyncSimulator({ desired: [configMap('a'), pod('p')], refusalOf });
    const message = 'one or more synchronization tasks are not valid: resource :Pod is not permitted in project p';
    expect(sync.step()).toMatchObject({ type: 'finish', phase: 'Failed', message });
    expect(sync.results).toMatchObject([{ name: 'p', status: 'SyncFailed' }]);
    expect(sync.live.size).toBe(0);
  });

  it('names what could not be applied, after it has tried the rest', () => {
    const sync = new SyncSimulator({ desired: [configMap('a', { [REFUSED]: 'apply' }), configMap('b'), pod('p', { [REFUSED]: 'apply' })] });
    expect(sync.run()).toMatchObject({ phase: 'Failed', message: 'one or more objects failed to apply, reason: refused a,refused p' });
    expect(sync.events).toEqual(['apply b']);
  });

  it('only tries where it is a dry run, and says that it went well', () => {
    const sync = new SyncSimulator({ desired: [configMap('a')], live: [configMap('old')], operation: { dryRun: true, prune: true } });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
    expect(sync.events).toEqual(['try prune old', 'try apply a']);
    expect(sync.results).toMatchObject([
      { name: 'old', status: 'Pruned', message: 'pruned (dry run)' },
      { name: 'a', hookPhase: 'Succeeded' },
    ]);
    expect([...sync.live.keys()]).toEqual(['/ConfigMap/ns/old']);
  });

  it('does only what was selected, without hooks', () => {
    const sync = new SyncSimulator({
      desired: [configMap('a'), configMap('b'), job('h', { [HOOK]: 'PreSync' })],
      live: [configMap('old')],
      operation: {
        prune: true,
        selected: [
          { kind: 'ConfigMap', name: 'b' },
          { kind: 'ConfigMap', name: 'old', namespace: 'other' },
        ],
      },
    });
    sync.run();
    expect(sync.events).toEqual(['apply b']);
  });

  it('leaves alone what does not differ, where it is told to', () => {
    const sync = new SyncSimulator({
      desired: [configMap('a'), configMap('b')],
      live: [configMap('a')],
      operation: { syncOptions: ['ApplyOutOfSyncOnly=true'] },
    });
    sync.run();
    expect(sync.events).toEqual(['apply b']);
    expect(sync.results).toMatchObject([{ name: 'b' }]);
  });

  it('waits between waves also where it applies only what differs', () => {
    const syncWith = (annotations: Record<string, string>): SyncSimulator =>
      new SyncSimulator({
        desired: [pod('early', annotations), pod('late', { [WAVE]: '1' }), configMap('same')],
        live: [configMap('same')],
        operation: { syncOptions: ['ApplyOutOfSyncOnly=true'] },
      });
    const sync = syncWith({});
    sync.step();
    sync.step();
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for healthy state of /Pod/early' });
    expect(sync.events).toEqual(['apply early']);
    expect(sync.run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
    expect(sync.results).toMatchObject([{ name: 'early', hookPhase: 'Succeeded' }, { name: 'late' }]);
    const failing = syncWith({ [FAILS]: '' });
    expect(failing.run()).toMatchObject({ phase: 'Failed' });
    expect(failing.events).toEqual(['apply early']);
  });
});

describe('Waves', () => {
  it('wait until everything before them is healthy, and the last one is not waited for', () => {
    const sync = new SyncSimulator({ desired: [pod('late', { [WAVE]: '1', [FAILS]: '' }), pod('early', { [WAVE]: '-5' }), pod('middle')] });
    sync.step();
    sync.step();
    expect(sync.events).toEqual(['apply early']);
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for healthy state of /Pod/early' });
    sync.settle();
    sync.step();
    expect(sync.events).toEqual(['apply early', 'apply middle']);
    expect(sync.results[0]).toMatchObject({ name: 'early', hookPhase: 'Succeeded' });
    sync.settle();
    expect(sync.step().type).toBe('run');
    expect(sync.step()).toMatchObject({ type: 'finish', phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
  });

  it('do not start after one that did not become healthy', () => {
    const sync = new SyncSimulator({ desired: [pod('early', { [FAILS]: '' }), pod('late', { [WAVE]: '1' })] });
    expect(sync.run()).toMatchObject({ phase: 'Failed', message: 'one or more synchronization tasks completed unsuccessfully' });
    expect(sync.results).toMatchObject([{ name: 'early', hookPhase: 'Failed', message: 'it broke' }]);
  });

  it('say how many they wait for', () => {
    const sync = new SyncSimulator({ desired: [pod('a'), pod('b'), pod('c'), pod('late', { [WAVE]: '1' })] });
    sync.step();
    sync.step();
    expect(sync.step().message).toBe('waiting for healthy state of /Pod/a and 2 more resources');
  });

  it('put a namespace and a definition before the first that needs them', () => {
    const definition: KubeObject = {
      ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', { [WAVE]: '7' }),
      spec: { group: 'example.com', names: { kind: 'Widget' } },
      status: { conditions: [{ type: 'Established', status: 'True' }] },
    };
    const widget = object('example.com/v1', 'Widget', 'w', { [WAVE]: '2' });
    const sync = new SyncSimulator({ desired: [definition, widget, object('v1', 'Namespace', 'ns', { [WAVE]: '9' }), configMap('a')] });
    sync.run();
    expect(sync.events).toEqual(['apply ns', 'apply a', 'apply widgets.example.com', 'apply w']);
  });

  it('take the weight of Helm where nothing else is said', () => {
    const sync = new SyncSimulator({ desired: [configMap('b', { 'helm.sh/hook-weight': '-1' }), configMap('a')] });
    sync.run();
    expect(sync.events).toEqual(['apply b', 'apply a']);
  });
});

describe('Hooks', () => {
  const pre = job('pre', { [HOOK]: 'PreSync' });
  const post = job('post', { [HOOK]: 'PostSync' });

  it('run before and after, each waited for', () => {
    const sync = new SyncSimulator({ desired: [post, pre, configMap('a')] });
    sync.step();
    sync.step();
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for completion of hook batch/Job/pre' });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (no more tasks)' });
    expect(sync.events).toEqual(['apply PreSync hook pre', 'apply a', 'apply PostSync hook post']);
    expect(sync.results).toMatchObject([
      { name: 'pre', hookType: 'PreSync', hookPhase: 'Succeeded', syncPhase: 'PreSync', message: 'it is done' },
      { name: 'a', syncPhase: 'Sync' },
      { name: 'post', hookType: 'PostSync', hookPhase: 'Succeeded' },
    ]);
  });

  it('have a finalizer while they run, which is taken away at their end', () => {
    const sync = new SyncSimulator({ desired: [pre] });
    sync.step();
    sync.step();
    expect(sync.live.get('batch/Job/ns/pre')?.metadata.finalizers).toEqual(['argocd.argoproj.io/hook-finalizer']);
    sync.run();
    expect(sync.live.get('batch/Job/ns/pre')?.metadata.finalizers).toEqual([]);
  });

  it('do not run with the strategy that only applies', () => {
    const sync = new SyncSimulator({ desired: [pre, configMap('a')], operation: { usesHooks: false } });
    sync.run();
    expect(sync.events).toEqual(['apply a']);
  });

  it('are waited for where another controller began the sync and made them, and are run anew where they are older', () => {
    const pre = job('pre', { [HOOK]: 'PreSync' });
    const eventsWith = (creationTimestamp: string, changes: Record<string, string> = {}, attempt = 0): readonly string[] => {
      const live = { ...pre, metadata: { ...pre.metadata, creationTimestamp, annotations: { ...pre.metadata.annotations, ...changes } } };
      const startedAtMs = Date.parse('2026-01-01T00:00:10Z');
      const sync = new SyncSimulator({ desired: [pre, configMap('a')], live: [live], operation: { startedAtMs, attempt } });
      expect(sync.run()).toMatchObject({ phase: 'Succeeded' });
      return sync.events;
    };
    const anew = ['delete pre', 'apply PreSync hook pre', 'apply a'];
    expect(eventsWith('2026-01-01T00:00:11Z')).toEqual(['apply a']);
    expect(eventsWith('2026-01-01T00:00:09Z')).toEqual(anew);
    expect(eventsWith('2026-01-01T00:00:11Z', { 'fairway.dev/hook-run': 'another' })).toEqual(anew);
    expect(eventsWith('2026-01-01T00:00:11Z', {}, 1)).toEqual(anew);
  });

  it('stop the sync where they fail, and then SyncFail hooks run', () => {
    const failing = job('pre', { [HOOK]: 'PreSync', [FAILS]: '' });
    const cleanUp = job('clean', { [HOOK]: 'SyncFail' });
    const sync = new SyncSimulator({ desired: [failing, cleanUp, configMap('a')] });
    expect(sync.run()).toMatchObject({ phase: 'Failed', message: 'one or more synchronization tasks completed unsuccessfully' });
    expect(sync.events).toEqual(['apply PreSync hook pre', 'apply SyncFail hook clean']);
  });

  it('for failures are held to the project when it is their turn, whatever is written down of the sync (RACE-04)', () => {
    const cleanUp = job('clean', { [HOOK]: 'SyncFail' });
    const refusalOf = ({ name }: { name: string }) => (name === 'clean' ? 'resource batch:Job is not permitted in project p' : undefined);
    const sync = new SyncSimulator({ desired: [configMap('a'), cleanUp], refusalOf });
    const forged = { status: 'SyncFailed', hookPhase: 'Failed', syncPhase: 'Sync' };
    sync.results = [{ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a', ...forged }];
    expect(sync.run()).toMatchObject({
      phase: 'Failed',
      message: expect.stringContaining('resource batch:Job is not permitted in project p'),
    });
    expect(sync.events).toEqual([]);
    expect(sync.live.size).toBe(0);
  });

  it('for failures that are refused keep neither the first failure nor other hooks from being seen to', () => {
    const refusalOf = ({ name }: { name: string }) => (name === 'forbidden' && sync.results.length > 0 ? 'not permitted' : undefined);
    const desired = [configMap('a', { [REFUSED]: 'apply' }), job('forbidden', { [HOOK]: 'SyncFail' }), job('tell', { [HOOK]: 'SyncFail' })];
    const sync: SyncSimulator = new SyncSimulator({ desired, refusalOf });
    expect(sync.run()).toMatchObject({
      phase: 'Failed',
      message:
        'one or more synchronization tasks completed unsuccessfully, reason: refused a\none or more SyncFail hooks failed, reason: not permitted',
    });
    expect(sync.events).toEqual(['apply SyncFail hook tell']);
    expect(sync.results).toMatchObject([
      { name: 'a', status: 'SyncFailed' },
      { name: 'forbidden', status: 'SyncFailed', message: 'not permitted' },
      { name: 'tell', hookPhase: 'Succeeded' },
    ]);
  });

  it('for failures say so where they fail too', () => {
    const cleanUp = job('clean', { [HOOK]: 'SyncFail', [REFUSED]: 'apply' });
    const sync = new SyncSimulator({ desired: [configMap('a', { [REFUSED]: 'apply' }), cleanUp] });
    expect(sync.run().message).toBe(
      'one or more synchronization tasks completed unsuccessfully, reason: refused a\none or more SyncFail hooks failed, reason: refused clean',
    );
  });

  it('do not run for failures where there is none', () => {
    const sync = new SyncSimulator({ desired: [configMap('a'), job('clean', { [HOOK]: 'SyncFail' })] });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
    expect(sync.events).toEqual(['apply a']);
  });

  it('of an earlier run are deleted first, and their going is waited for', () => {
    const sync = new SyncSimulator({ desired: [pre, configMap('a')], live: [pre] });
    sync.step();
    sync.step();
    expect(sync.events).toEqual(['delete pre']);
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for deletion of hook batch/Job/pre' });
    expect(sync.run().phase).toBe('Succeeded');
    expect(sync.events).toEqual(['delete pre', 'apply PreSync hook pre', 'apply a']);
  });

  it('of an earlier run that are to stay are applied again, and how they are counts', () => {
    const kept = (annotations: Record<string, string> = {}) =>
      job('kept', { [HOOK]: 'PreSync', [POLICY]: 'HookSucceeded', ...annotations });
    const sync = new SyncSimulator({ desired: [kept(), configMap('a')], live: [kept()] });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded' });
    expect(sync.events).toEqual(['apply PreSync hook kept', 'apply a', 'delete kept']);
    const failed = new SyncSimulator({ desired: [kept({ [FAILS]: '' }), configMap('a')], live: [kept({ [FAILS]: '' })] });
    expect(failed.run()).toMatchObject({ phase: 'Failed' });
    expect(failed.events).toEqual(['apply PreSync hook kept']);
  });

  it('of an earlier run that are on their way out are waited for, whatever their policy', () => {
    const kept = job('kept', { [HOOK]: 'PreSync', [POLICY]: 'HookFailed' });
    const leaving = { ...kept, metadata: { ...kept.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const sync = new SyncSimulator({ desired: [kept, configMap('a')], live: [leaving] });
    sync.step();
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for deletion of hook batch/Job/kept' });
    expect(sync.run()).toMatchObject({ phase: 'Succeeded' });
    expect(sync.events).toEqual(['apply PreSync hook kept', 'apply a']);
  });

  it('are deleted at the end of the operation, as their policies say', () => {
    const kept = job('kept', { [HOOK]: 'PreSync', [POLICY]: 'HookFailed' });
    const gone = job('gone', { [HOOK]: 'PreSync', [POLICY]: 'HookSucceeded' });
    const helm = job('helm', { [HOOK]: 'PreSync', [POLICY]: 'HookFailed', 'helm.sh/hook-delete-policy': 'hook-succeeded' });
    const sync = new SyncSimulator({ desired: [kept, gone, helm, configMap('a')] });
    sync.run();
    const applied = ['gone', 'helm', 'kept'].map((name) => `apply PreSync hook ${name}`);
    expect(sync.events).toEqual([...applied, 'apply a', 'delete gone', 'delete helm']);
  });

  it('without a name get one of the run, and a mark that names it', () => {
    const { name: _none, ...metadata } = pre.metadata;
    const sync = new SyncSimulator({ desired: [{ ...pre, metadata: { ...metadata, generateName: 'mig-' } }] });
    sync.run();
    const name = 'mig-1a2b3c4-presync-1735689600';
    expect(sync.events).toEqual([`apply PreSync hook ${name}`]);
    expect(sync.live.get(`batch/Job/ns/${name}`)?.metadata).toMatchObject({
      annotations: { 'argocd.argoproj.io/tracking-id': `app:batch/Job:ns/${name}` },
      finalizers: [],
    });
  });

  it('that are gone while they run have failed', () => {
    const sync = new SyncSimulator({ desired: [pre, configMap('a')] });
    sync.step();
    sync.step();
    sync.live.clear();
    expect(sync.step()).toMatchObject({ type: 'finish', phase: 'Failed' });
    expect(sync.results).toMatchObject([
      { name: 'pre', hookPhase: 'Failed', message: 'Resource batch/Job/pre is missing, it might have been deleted' },
    ]);
  });

  it('in two phases run twice', () => {
    const sync = new SyncSimulator({ desired: [job('both', { [HOOK]: 'PreSync,PostSync' }), configMap('a')] });
    sync.run();
    expect(sync.events).toEqual(['apply PreSync hook both', 'apply a', 'delete both', 'apply PostSync hook both']);
  });

  it('that only skip, or have no meaning, are not applied', () => {
    const sync = new SyncSimulator({
      desired: [
        configMap('skip', { [HOOK]: 'Skip' }),
        configMap('odd', { [HOOK]: 'Whenever' }),
        pod('test', { 'helm.sh/hook': 'test' }),
        pod('gone', { [HOOK]: 'PostDelete' }),
      ],
    });
    expect(sync.run().phase).toBe('Succeeded');
    expect(sync.events).toEqual([]);
  });
});

describe('What is no longer wanted', () => {
  it.each([
    ['is kept where nobody asked', {}, {}, 'PruneSkipped', 'ignored (requires pruning)'],
    ['is kept where it says so', { [OPTIONS]: 'Prune=false' }, { prune: true }, 'PruneSkipped', 'ignored (no prune)'],
    ['is kept where the application says so', {}, { prune: true, syncOptions: ['Prune=false'] }, 'PruneSkipped', 'ignored (no prune)'],
    ['goes where it was asked for', {}, { prune: true }, 'Pruned', 'pruned'],
    ['goes where it says so itself', { [OPTIONS]: 'Prune=true' }, { prune: true, syncOptions: ['Prune=false'] }, 'Pruned', 'pruned'],
  ])('%s', (_what, annotations, operation, status, message) => {
    const sync = new SyncSimulator({ desired: [configMap('a')], live: [configMap('old', annotations)], operation });
    expect(sync.run().phase).toBe('Succeeded');
    expect(sync.results.find(({ name }) => name === 'old')).toMatchObject({ status, message, hookPhase: 'Succeeded' });
  });

  it('goes before the rest of its wave is applied, or last of all where it asks for that', () => {
    const live = [configMap('old')];
    const early = new SyncSimulator({ desired: [configMap('a')], live, operation: { prune: true } });
    early.run();
    expect(early.events).toEqual(['prune old', 'apply a']);
    const late = new SyncSimulator({
      desired: [configMap('a'), pod('p', { [WAVE]: '3' })],
      live,
      operation: { prune: true, syncOptions: ['PruneLast=true'] },
    });
    late.run();
    expect(late.events).toEqual(['apply a', 'apply p', 'prune old']);
  });

  it('goes in the reverse order of waves, and is waited for', () => {
    const live = [configMap('one', { [WAVE]: '1' }), configMap('two', { [WAVE]: '2' }), configMap('three', { [WAVE]: '3' })];
    const sync = new SyncSimulator({ desired: [], live, operation: { prune: true } });
    sync.step();
    expect(sync.step()).toMatchObject({ type: 'wait', message: 'waiting for deletion of /ConfigMap/three' });
    sync.run();
    expect(sync.events).toEqual(['prune three', 'prune two', 'prune one']);
  });

  it('waits for a confirmation where it asks for one', () => {
    const live = [configMap('old', { [OPTIONS]: 'Prune=confirm' })];
    const waiting = new SyncSimulator({ desired: [configMap('a')], live, operation: { prune: true } });
    waiting.step();
    expect(waiting.step()).toMatchObject({ type: 'wait', message: 'waiting for pruning confirmation of /ConfigMap/old' });
    const confirmed = new SyncSimulator({ desired: [configMap('a')], live, operation: { prune: true }, isPruneConfirmed: true });
    confirmed.run();
    expect(confirmed.events).toEqual(['prune old', 'apply a']);
  });
});

describe('The namespace of the destination', () => {
  const input = { syncOptions: ['CreateNamespace=true'], destinationNamespace: 'ns', desired: [], live: undefined };

  it('is made first, even before the dry run', () => {
    const namespace = planNamespace(input);
    const sync = new SyncSimulator({ desired: [configMap('a')], ...(namespace && { namespace }) });
    sync.step();
    expect(sync.events).toEqual(['apply ns']);
    sync.run();
    expect(sync.events).toEqual(['apply ns', 'apply a']);
  });

  it('ends the sync where it cannot be made', () => {
    const namespace = planNamespace({ ...input, metadata: { annotations: { [REFUSED]: 'apply' } } });
    const sync = new SyncSimulator({ desired: [configMap('a')], ...(namespace && { namespace }) });
    expect(sync.run()).toMatchObject({ phase: 'Failed', message: 'the namespace failed to apply, reason: refused ns' });
    expect(sync.events).toEqual([]);
  });

  it('is left alone where it exists, is brought along, or nobody asked', () => {
    const live = object('v1', 'Namespace', 'ns');
    expect(planNamespace({ ...input, live })).toBeUndefined();
    expect(planNamespace({ ...input, desired: [live] })).toBeUndefined();
    expect(planNamespace({ ...input, syncOptions: [] })).toBeUndefined();
    expect(planNamespace({ ...input, live, metadata: { labels: { team: 'a' } } })?.desired).toMatchObject({
      metadata: { labels: { team: 'a' }, annotations: { [OPTIONS]: 'ServerSideApply=true' } },
    });
  });
});
