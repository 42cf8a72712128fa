import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { createMergePatch } from '../../objects/index.ts';
import { builtInActions } from './built-in-actions.ts';
import type { CustomActions } from './custom-actions.ts';
import { listActions } from './list-actions.ts';
import { runAction } from './run-action.ts';

/** 2023-11-14T22:13:20Z. */
const nowMs = (): number => 1_700_000_000_000;
const NOW = '2023-11-14T22:13:20Z';

function make(name: string, parts: object = {}, metadata: object = {}): KubeObject {
  const [group = '', kind = ''] = name.split('/');
  const more = { metadata: { name: 'web', namespace: 'team', uid: 'u-1', generation: 2, ...metadata }, ...parts };
  return { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, ...more } as unknown as KubeObject;
}

/** What an action changes, as a merge patch; or what it creates. */
function changes(object: KubeObject, name: string, parameters: Readonly<Record<string, string>> = {}, settings: CustomActions = new Map()) {
  const results = runAction(object, { name, parameters: new Map(Object.entries(parameters)) }, settings, nowMs);
  return results.map(({ operation, resource }) =>
    operation === 'create' ? resource : createMergePatch(object as unknown as JsonObject, resource as unknown as JsonObject),
  );
}

/** The names of offered actions; those that are disabled with a minus. */
function offered(object: KubeObject, settings: CustomActions = new Map()): string {
  return listActions(object, settings, nowMs)
    .map(({ name, disabled }) => (disabled === true ? `-${name}` : name))
    .join(' ');
}

describe('Actions that are built in', () => {
  it.each<[string, object, string]>([
    ['apps/Deployment', { spec: {} }, 'pause restart -resume scale'],
    ['apps/Deployment', { spec: { paused: true } }, '-pause restart resume scale'],
    ['apps/StatefulSet', {}, 'restart scale'],
    ['apps/DaemonSet', {}, 'restart'],
    ['batch/CronJob', { spec: { suspend: false } }, 'create-job suspend'],
    ['batch/CronJob', { spec: { suspend: true } }, 'create-job resume'],
    ['batch/Job', { spec: {}, status: {} }, 'suspend terminate'],
    ['batch/Job', { spec: { suspend: true } }, 'resume'],
    ['batch/Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }, ''],
    [
      'argoproj.io/Rollout',
      {
        spec: { strategy: { canary: { steps: [{}, {}] } } },
        status: { currentPodHash: 'b', stableRS: 'a', observedGeneration: '2', currentStepIndex: 0 },
      },
      'abort pause promote-full restart -resume -retry skip-current-step',
    ],
    [
      'argoproj.io/Rollout',
      { spec: { strategy: { blueGreen: {} } }, status: { currentPodHash: 'a', stableRS: 'a', pauseConditions: [{}] } },
      '-abort -pause -promote-full restart resume -retry -skip-current-step',
    ],
    [
      'argoproj.io/Rollout',
      { spec: { strategy: { canary: {} } }, status: { currentPodHash: 'b', stableRS: 'a', abort: true } },
      '-abort -pause promote-full restart -resume retry -skip-current-step',
    ],
    ['argoproj.io/AnalysisRun', { status: { phase: 'Running' } }, 'terminate'],
    ['argoproj.io/AnalysisRun', { status: { phase: 'Failed' } }, '-terminate'],
    ['argoproj.io/Application', { spec: {} }, 'toggle-auto-sync'],
    ['external-secrets.io/ExternalSecret', { spec: { refreshInterval: '0s' } }, '-refresh'],
    ['external-secrets.io/ExternalSecret', { spec: { refreshInterval: '0s', refreshPolicy: 'OnChange' } }, 'refresh'],
    ['external-secrets.io/PushSecret', { spec: { refreshInterval: '1h' } }, 'push'],
    ['kustomize.toolkit.fluxcd.io/Kustomization', { spec: {} }, 'reconcile -resume suspend'],
    ['kustomize.toolkit.fluxcd.io/Kustomization', { spec: { suspend: true } }, '-reconcile resume -suspend'],
    ['notification.toolkit.fluxcd.io/Alert', {}, '-resume suspend'],
    ['keda.sh/ScaledObject', {}, 'pause paused-replicas -resume'],
    ['keda.sh/ScaledJob', {}, 'pause -resume'],
    ['postgresql.cnpg.io/Cluster', { status: { instancesStatus: { healthy: ['web-1', 'web-2'] } } }, 'promote reload restart suspend'],
    ['postgresql.cnpg.io/Cluster', {}, '-promote reload restart suspend'],
    ['k8s.mariadb.com/MariaDB', { spec: { suspend: true } }, 'resume'],
    ['core.strimzi.io/StrimziPodSet', {}, 'rolling-update'],
    ['promoter.argoproj.io/PullRequest', { spec: { state: 'open' } }, 'merge'],
    ['psmdb.percona.com/PerconaServerMongoDB', {}, 'pause -unpause'],
    ['numaflow.numaproj.io/Pipeline', {}, '-delete -force-promote pause -unpause-fast -unpause-gradual'],
    [
      'numaflow.numaproj.io/MonoVertex',
      { spec: { lifecycle: { desiredPhase: 'Paused' } } },
      '-force-promote -pause -unpause-fast unpause-gradual',
    ],
    ['numaplane.numaproj.io/PipelineRollout', {}, '-allow-data-loss -disallow-data-loss pause -unpause-fast -unpause-gradual'],
    ['/ConfigMap', {}, ''],
  ])('of %s with %j are: %3$s', (name, parts, expected) => expect(offered(make(name, parts))).toBe(expected));

  it('say what they are called and what they need to know', () => {
    expect(listActions(make('apps/StatefulSet'), new Map(), nowMs)).toEqual([
      { name: 'restart', iconClass: 'fa fa-fw fa-redo' },
      { name: 'scale', iconClass: 'fa fa-fw fa-plus-circle', params: [{ name: 'replicas' }] },
    ]);
    const automated = make('argoproj.io/Application', { spec: { syncPolicy: { automated: {} } } });
    expect(listActions(automated, new Map(), nowMs)[0]?.displayName).toBe('Disable Auto-Sync');
  });

  it.each<[string, object, string, object, Record<string, string>?]>([
    [
      'apps/Deployment',
      { spec: { template: { metadata: { labels: { a: 'b' } } } } },
      'restart',
      { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': NOW } } } } },
    ],
    ['apps/Deployment', { spec: { paused: true } }, 'resume', { spec: { paused: null } }],
    ['apps/Deployment', { spec: {} }, 'pause', { spec: { paused: true } }],
    ['apps/StatefulSet', { spec: { replicas: 1 } }, 'scale', { spec: { replicas: 3 } }, { replicas: '3' }],
    ['batch/CronJob', { spec: {} }, 'resume', {}],
    ['batch/CronJob', { spec: { suspend: true } }, 'resume', { spec: { suspend: false } }],
    ['argoproj.io/Rollout', { spec: {} }, 'restart', { spec: { restartAt: NOW } }],
    [
      'argoproj.io/Rollout',
      { spec: { paused: true }, status: { pauseConditions: [{}] } },
      'resume',
      { spec: { paused: false }, status: { pauseConditions: null } },
    ],
    ['argoproj.io/Rollout', { status: { observedGeneration: '2' } }, 'promote-full', { status: { promoteFull: true } }],
    [
      'argoproj.io/Rollout',
      { spec: { strategy: { canary: { steps: [{}, {}] } } }, status: { abort: true, observedGeneration: '5f7' } },
      'promote-full',
      { status: { abort: null, currentStepIndex: 2 } },
    ],
    [
      'argoproj.io/Rollout',
      { spec: { strategy: { canary: { steps: [{}, {}] } } }, status: { currentStepIndex: 1, pauseConditions: [{}] } },
      'skip-current-step',
      { status: { currentStepIndex: 2, pauseConditions: null } },
    ],
    ['argoproj.io/Rollout', { status: { abort: true } }, 'retry', { status: { abort: null } }],
    ['argoproj.io/AnalysisRun', { spec: {} }, 'terminate', { spec: { terminate: true } }],
    ['argoproj.io/Application', { spec: {} }, 'toggle-auto-sync', { spec: { syncPolicy: { automated: { enabled: true } } } }],
    [
      'argoproj.io/Application',
      { spec: { syncPolicy: { automated: { prune: true } } } },
      'toggle-auto-sync',
      { spec: { syncPolicy: { automated: { enabled: false } } } },
    ],
    ['external-secrets.io/PushSecret', {}, 'push', { metadata: { annotations: { 'force-sync': NOW } } }],
    [
      'source.toolkit.fluxcd.io/GitRepository',
      {},
      'reconcile',
      { metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': 'By Argo CD at: 2023-11-14T22:13:20' } } },
    ],
    [
      'keda.sh/ScaledObject',
      {},
      'paused-replicas',
      { metadata: { annotations: { 'autoscaling.keda.sh/paused-replicas': '2' } } },
      { replicas: '2' },
    ],
    [
      'postgresql.cnpg.io/Cluster',
      { status: { currentPrimary: 'web-2', instancesStatus: { healthy: ['web-1', 'web-2'] } } },
      'promote',
      {
        status: {
          targetPrimary: 'web-1',
          targetPrimaryTimestamp: NOW,
          phase: 'Switchover in progress',
          phaseReason: 'Switching over to web-1',
        },
      },
      { instance: 'any' },
    ],
    [
      'numaflow.numaproj.io/MonoVertex',
      { spec: { replicas: 3 } },
      'unpause-gradual',
      { spec: { replicas: null, lifecycle: { desiredPhase: 'Running' } } },
    ],
    [
      'batch/Job',
      { status: { active: 1 } },
      'terminate',
      {
        status: {
          conditions: [
            {
              type: 'FailureTarget',
              status: 'True',
              reason: 'ManuallyTerminated',
              message: 'Job was terminated explicitly through Argo CD',
              lastTransitionTime: NOW,
            },
          ],
        },
      },
    ],
  ])('of %s with %j: %s changes %j', (name, parts, action, expected, parameters) => {
    expect(changes(make(name, parts), action, parameters)).toEqual([expected]);
  });

  it('start a CronJob now', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { template: { spec: { containers: [] } } } };
    expect(changes(make('batch/CronJob', { spec: { jobTemplate: template } }), 'create-job')).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: 'web-2311142213',
          namespace: 'team',
          labels: { a: 'b' },
          annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
          ownerReferences: [
            { apiVersion: 'batch/v1', kind: 'CronJob', name: 'web', uid: 'u-1', blockOwnerDeletion: true, controller: true },
          ],
        },
        spec: template.spec,
      },
    ]);
  });

  it('start a workflow', () => {
    const [workflow] = changes(make('argoproj.io/WorkflowTemplate'), 'create-workflow');
    expect(workflow).toMatchObject({
      kind: 'Workflow',
      metadata: { name: 'web-202311142213' },
      spec: { workflowTemplateRef: { name: 'web' } },
    });
    const cron = make('argoproj.io/CronWorkflow', { spec: { workflowSpec: { entrypoint: 'x' }, workflowMetadata: { finalizers: ['f'] } } });
    expect(changes(cron, 'create-workflow')[0]).toMatchObject({
      metadata: { finalizers: ['f'], labels: { 'workflows.argoproj.io/cron-workflow': 'web' } },
      spec: { entrypoint: 'x' },
    });
  });

  it.each([
    ['apps/Deployment', 'scale', { replicas: 'many' }, 'invalid number: many'],
    ['apps/Deployment', 'scale', {}, 'invalid number: '],
    ['apps/Deployment', 'scale', { replicas: '-1' }, 'invalid number: -1'],
    ['apps/Deployment', 'explode', {}, 'error getting Lua resource action: built-in script does not exist'],
    ['postgresql.cnpg.io/Cluster', 'promote', { instance: '7' }, 'Could not find a healthy instance matching the criteria: 7'],
  ])('of %s refuse %s with %j', (name, action, parameters, message) => {
    expect(() => changes(make(name), action, parameters)).toThrow(message);
  });

  it('change nothing of the object that they are given, and work on one without a spec', () => {
    for (const [name, actions] of builtInActions) {
      const object = make(name);
      const before = structuredClone(object);
      for (const action of actions) {
        const parameters = new Map([['replicas', '1']]);
        if (action.name !== 'promote') runAction(object, { name: action.name, parameters }, new Map(), nowMs);
      }
      expect(object).toEqual(before);
    }
  });
});

describe('Actions in Lua', () => {
  const actions = (script: string, { discovery = 'return {}', mergeBuiltinActions = false } = {}): CustomActions =>
    new Map([
      [
        'apps/Deployment',
        { actions: { 'discovery.lua': discovery, definitions: [{ name: 'own', 'action.lua': script }], mergeBuiltinActions } },
      ],
    ]);
  const object = make('apps/Deployment', { spec: { replicas: 1, template: { spec: { volumes: [{ emptyDir: {} }], tolerations: [] } } } });

  it('are offered instead of ours, or beside them', () => {
    const discovery = `
      return {
        own = {["displayName"] = "Own", ["iconClass"] = "fa", ["params"] = {{name = "p", default = "1"}}},
        restart = {["disabled"] = true},
        empty = {}
      }`;
    expect(listActions(object, actions('', { discovery }), nowMs)).toEqual([
      { name: 'empty' },
      { name: 'own', displayName: 'Own', iconClass: 'fa', params: [{ name: 'p' }] },
      { name: 'restart', disabled: true },
    ]);
    expect(offered(object, actions('', { discovery, mergeBuiltinActions: true }))).toBe('empty own pause -restart -resume scale');
    expect(offered(object, actions('', { discovery: 'return {}' }))).toBe('');
    expect(offered(make('apps/StatefulSet'), actions('', { discovery }))).toBe('restart scale');
  });

  it('leave ours to be run', () => {
    expect(changes(object, 'pause', {}, actions('return obj'))).toEqual([{ spec: { paused: true } }]);
  });

  it('change the resource, and only what they mean to', () => {
    const script = 'obj.spec.replicas = tonumber(actionParams["n"]) obj.metadata.annotations = {at = os.date("!%F")} return obj';
    expect(changes(object, 'own', { n: '4' }, actions(script))).toEqual([
      { metadata: { annotations: { at: '2023-11-14' } }, spec: { replicas: 4 } },
    ]);
    expect(changes(object, 'own', {}, actions('return obj'))).toEqual([{}]);
  });

  it('say what is to be created and patched', () => {
    const script = `
      local job = {apiVersion = "batch/v1", kind = "Job", metadata = {name = obj.metadata.name .. "-job"}, spec = {}}
      obj.spec.replicas = 0
      return {{operation = "create", resource = job}, {operation = "patch", resource = obj}}`;
    const results = changes(object, 'own', {}, actions(script));
    expect(results).toEqual([{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'web-job' }, spec: [] }, { spec: { replicas: 0 } }]);
    expect(changes(object, 'own', {}, actions('return {}'))).toEqual([]);
  });

  it.each([
    ['return 5', 'expect table output from Lua script, not number'],
    ['return', 'expect table output from Lua script, not nil'],
    ['return {{operation = "delete", resource = obj}}', 'unsupported operation: "delete"'],
    ['return {{resource = obj}}', 'unsupported operation: null'],
    ['return {{operation = "create"}}', 'a resource needs an apiVersion, a kind and a name'],
    ['return {spec = {}}', 'a resource needs an apiVersion, a kind and a name'],
    ['local t = {} for i = 1, 200 do t[i] = {operation = "patch", resource = obj} end return t', 'more than 100 resources'],
    ['error("no way", 0)', 'no way'],
    ['while true do end', 'it takes too long'],
    ['return io.open("/etc/passwd")', "attempt to index a non-table object(nil) with key 'open'"],
  ])('JQ-04: %s is refused', (script, message) => {
    const run = () => changes(object, 'own', {}, actions(script));
    expect(run).toThrow(/^error executing Lua resource action: /);
    expect(run).toThrow(message);
  });

  it('JQ-04: that cannot be listed say so', () => {
    expect(() => offered(object, actions('', { discovery: 'return os.execute("id")' }))).toThrow(
      'error getting available actions: <string>:1: attempt to call a non-function object',
    );
  });
});
