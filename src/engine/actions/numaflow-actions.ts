import { textAt, valueAt, withValueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { annotate, annotation, label, set } from './changes.ts';
import type { BuiltInAction } from './resource-action.ts';

const STRATEGIES = 'numaflow.numaproj.io/allowed-resume-strategies';
const RESUME = 'numaflow.numaproj.io/resume-strategy';
const UPGRADE_STATE = 'numaplane.numaproj.io/upgrade-state';
const FORCE_PROMOTE = 'numaplane.numaproj.io/force-promote';
const DATA_LOSS = 'numaplane.numaproj.io/allow-data-loss';

/** What a kind of Numaflow changes beside the phase when it goes on. */
interface Unpause {
  readonly fast: (object: JsonObject) => JsonObject;
  readonly gradual: (object: JsonObject) => JsonObject;
}

/** Pausing and going on, for an object that has the part that is paused at a path. */
function pauseActions(path: readonly string[], { fast, gradual }: Unpause): readonly BuiltInAction[] {
  const phase = [...path, 'spec', 'lifecycle', 'desiredPhase'];
  const metadata = path.length === 0 ? ['spec', 'metadata'] : [...path, 'metadata'];
  const isPaused = (object: JsonObject): boolean => valueAt(object, phase) === 'Paused';
  const allows = (object: JsonObject, strategy: 'fast' | 'gradual'): boolean => {
    const allowed = textAt(object, ...metadata, 'annotations', STRATEGIES);
    const isFastAllowed = allowed === 'fast' || allowed === 'slow, fast';
    return isPaused(object) && (strategy === 'fast' ? isFastAllowed : allowed !== 'fast');
  };
  const unpaused = (object: JsonObject): JsonObject => withValueAt(object, phase, 'Running');
  return [
    { name: 'pause', iconClass: 'fa-solid fa-fw fa-pause', isDisabled: isPaused, run: set(phase, 'Paused') },
    {
      name: 'unpause-gradual',
      displayName: 'Unpause (gradual)',
      iconClass: 'fa-solid fa-fw fa-play',
      isDisabled: (object) => !allows(object, 'gradual'),
      run: (object) => gradual(unpaused(object)),
    },
    {
      name: 'unpause-fast',
      displayName: 'Unpause (fast)',
      iconClass: 'fa-solid fa-fw fa-play',
      isDisabled: (object) => !allows(object, 'fast'),
      run: (object) => fast(unpaused(object)),
    },
  ];
}

function forcePromote(displayName?: string): BuiltInAction {
  return {
    name: 'force-promote',
    ...(displayName !== undefined && { displayName }),
    iconClass: 'fa-solid fa-fw fa-forward',
    isDisabled: (object) => !['in-progress', 'trial'].includes(label(object, UPGRADE_STATE)) || label(object, FORCE_PROMOTE) === 'true',
    run: set(['metadata', 'labels', FORCE_PROMOTE], 'true'),
  };
}

const inAnnotation: Unpause = {
  fast: (object) => withValueAt(object, ['metadata', 'annotations', RESUME], 'fast'),
  gradual: (object) => withValueAt(object, ['metadata', 'annotations', RESUME], 'slow'),
};
const inStrategy: Unpause = {
  fast: (object) => withValueAt(object, ['spec', 'strategy', 'pauseResume', 'fastResume'], true),
  gradual: (object) => withValueAt(object, ['spec', 'strategy', 'pauseResume', 'fastResume'], false),
};

export const bufferServiceActions: readonly BuiltInAction[] = [forcePromote()];

export const monoVertexActions: readonly BuiltInAction[] = [
  ...pauseActions([], { fast: (object) => object, gradual: (object) => withValueAt(object, ['spec', 'replicas'], undefined) }),
  forcePromote('Force Promote'),
];

export const pipelineActions: readonly BuiltInAction[] = [
  ...pauseActions([], inAnnotation),
  forcePromote('Force Promote'),
  {
    name: 'delete',
    displayName: 'Delete',
    iconClass: 'fa-solid fa-fw fa-trash',
    isDisabled: (pipeline) => label(pipeline, UPGRADE_STATE) !== 'recyclable',
    run: annotate('numaplane.numaproj.io/marked-for-deletion', 'true'),
  },
];

export const monoVertexRolloutActions: readonly BuiltInAction[] = pauseActions(['spec', 'monoVertex'], inStrategy);

export const pipelineRolloutActions: readonly BuiltInAction[] = [
  ...pauseActions(['spec', 'pipeline'], inStrategy),
  {
    name: 'allow-data-loss',
    displayName: 'Allow (Possible) Data Loss',
    iconClass: 'fa-solid fa-fw fa-unlock',
    isDisabled: (rollout) => textAt(rollout, 'status', 'upgradeInProgress') !== 'PipelinePauseAndDrain',
    run: annotate(DATA_LOSS, 'true'),
  },
  {
    name: 'disallow-data-loss',
    displayName: 'Disallow Data Loss',
    iconClass: 'fa-solid fa-fw fa-lock',
    isDisabled: (rollout) => annotation(rollout, DATA_LOSS) !== 'true',
    run: annotate(DATA_LOSS, 'false'),
  },
];
