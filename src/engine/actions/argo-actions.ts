import { formatTime, isJsonArray, isJsonObject, listAt, numberAt, objectAt, textAt, valueAt, withValueAt } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { isTrue, nameWithMinute, ownerOf, set, stamp } from './changes.ts';
import type { BuiltInAction } from './resource-action.ts';

const INSTANCE_LABEL = 'workflows.argoproj.io/controller-instanceid';

/** All that runs is of the stable version. */
function isFullyPromoted(rollout: JsonObject): boolean {
  return valueAt(rollout, ['status', 'currentPodHash']) === valueAt(rollout, ['status', 'stableRS']);
}

const isAborted = isTrue('status', 'abort');

function isPaused(rollout: JsonObject): boolean {
  const conditions = valueAt(rollout, ['status', 'pauseConditions']);
  return isJsonArray(conditions) ? conditions.length > 0 : isTrue('spec', 'paused')(rollout);
}

/** Rollouts before v0.10 wrote a hash for the generation that they had seen, and could be promoted only by their steps. */
function isOldRollout(rollout: JsonObject): boolean {
  const observed = Number(valueAt(rollout, ['status', 'observedGeneration']));
  return Number.isNaN(observed) || observed > (numberAt(rollout, 'metadata', 'generation') ?? 0);
}

function stepsOf(rollout: JsonObject): readonly unknown[] | undefined {
  const steps = valueAt(rollout, ['spec', 'strategy', 'canary', 'steps']);
  return isJsonArray(steps) ? steps : undefined;
}

function withoutPause(rollout: JsonObject): JsonObject {
  return withValueAt(rollout, ['status', 'pauseConditions'], undefined);
}

function promoted(rollout: JsonObject): JsonObject {
  if (!isJsonObject(valueAt(rollout, ['status']))) return rollout;
  if (!isOldRollout(rollout)) return withValueAt(rollout, ['status', 'promoteFull'], true);
  const resumed = withValueAt(rollout, ['status', 'abort'], undefined);
  const steps = stepsOf(rollout);
  return steps === undefined ? resumed : withValueAt(resumed, ['status', 'currentStepIndex'], steps.length);
}

function withStepSkipped(rollout: JsonObject): JsonObject {
  const current = numberAt(rollout, 'status', 'currentStepIndex') ?? 0;
  const isMoreToCome = current < (stepsOf(rollout)?.length ?? 0);
  return isMoreToCome ? withValueAt(withoutPause(rollout), ['status', 'currentStepIndex'], current + 1) : rollout;
}

export const rolloutActions: readonly BuiltInAction[] = [
  { name: 'restart', displayName: 'Restart Pods', run: stamp(['spec', 'restartAt']) },
  {
    name: 'resume',
    isDisabled: (rollout) => !isPaused(rollout),
    run: (rollout) => {
      const resumed = withoutPause(rollout);
      return isTrue('spec', 'paused')(rollout) ? withValueAt(resumed, ['spec', 'paused'], false) : resumed;
    },
  },
  { name: 'abort', isDisabled: (rollout) => isFullyPromoted(rollout) || isAborted(rollout), run: set(['status', 'abort'], true) },
  {
    name: 'retry',
    isDisabled: (rollout) => isFullyPromoted(rollout) || !isAborted(rollout),
    run: (rollout) => withValueAt(rollout, ['status', 'abort'], undefined),
  },
  {
    name: 'pause',
    isDisabled: (rollout) => isFullyPromoted(rollout) || isAborted(rollout) || isTrue('spec', 'paused')(rollout),
    run: set(['spec', 'paused'], true),
  },
  {
    name: 'promote-full',
    isDisabled: (rollout) =>
      isFullyPromoted(rollout) || (isOldRollout(rollout) && valueAt(rollout, ['spec', 'strategy', 'blueGreen']) !== undefined),
    run: promoted,
  },
  {
    name: 'skip-current-step',
    isDisabled: (rollout) => {
      const steps = stepsOf(rollout);
      return steps === undefined || valueAt(rollout, ['status', 'currentStepIndex']) === steps.length;
    },
    run: withStepSkipped,
  },
];

const ENDED_PHASES: readonly string[] = ['Successful', 'Failed', 'Error', 'Inconclusive'];

export const analysisRunActions: readonly BuiltInAction[] = [
  {
    name: 'terminate',
    isDisabled: (run) => isTrue('spec', 'terminate')(run) || ENDED_PHASES.includes(textAt(run, 'status', 'phase')),
    run: set(['spec', 'terminate'], true),
  },
];

const createWorkflow = (make: (object: JsonObject, nowMs: number) => JsonObject): readonly BuiltInAction[] => [
  {
    name: 'create-workflow',
    displayName: 'Create Workflow',
    iconClass: 'fa fa-fw fa-plus',
    run: (object, { nowMs }) => [{ operation: 'create', resource: make(object, nowMs) as unknown as KubeObject }],
  },
];

function workflowOf(object: JsonObject, nowMs: number, metadata: JsonObject, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: {
      ...metadata,
      name: nameWithMinute(textAt(object, 'metadata', 'name'), nowMs, true),
      namespace: textAt(object, 'metadata', 'namespace'),
      ownerReferences: [ownerOf(object)],
    },
    spec,
  };
}

export const workflowTemplateActions = createWorkflow((template, nowMs) => {
  const name = textAt(template, 'metadata', 'name');
  const metadata = { labels: { 'workflows.argoproj.io/workflow-template': name } };
  return workflowOf(template, nowMs, metadata, { workflowTemplateRef: { name } });
});

export const cronWorkflowActions = createWorkflow((cron, nowMs) => {
  const wanted = objectAt(cron, 'spec', 'workflowMetadata');
  const instance = textAt(cron, 'metadata', 'labels', INSTANCE_LABEL);
  const finalizers = listAt(wanted, 'finalizers');
  const metadata = {
    labels: {
      ...objectAt(wanted, 'labels'),
      'workflows.argoproj.io/cron-workflow': textAt(cron, 'metadata', 'name'),
      ...(instance !== '' && { [INSTANCE_LABEL]: instance }),
    },
    annotations: { ...objectAt(wanted, 'annotations'), 'workflows.argoproj.io/scheduled-time': formatTime(nowMs) },
    ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
  };
  return workflowOf(cron, nowMs, metadata, objectAt(cron, 'spec', 'workflowSpec'));
});

const AUTOMATED = ['spec', 'syncPolicy', 'automated'];

/** Where it is not said, an automated sync is on. */
function isAutomated(application: JsonObject): boolean {
  const automated = valueAt(application, AUTOMATED);
  return isJsonObject(automated) && (automated['enabled'] ?? true) === true;
}

export const applicationActions: readonly BuiltInAction[] = [
  {
    name: 'toggle-auto-sync',
    displayName: (application) => (isAutomated(application) ? 'Disable Auto-Sync' : 'Enable Auto-Sync'),
    run: (application) => withValueAt(application, [...AUTOMATED, 'enabled'], !isAutomated(application)),
  },
];
