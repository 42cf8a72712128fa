import { formatTime } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { listAt, textAt } from '../../json-path.ts';
import { compact } from '../view.ts';
import type { View } from '../view.ts';

export interface ConditionsInput {
  readonly pod: View;
  readonly phase: string;
  readonly containerStatuses: readonly JsonObject[];
  readonly isInitialized: boolean;
  readonly hasSandbox: boolean;
  readonly nowMs: number;
}

/** The conditions of a pod as a kubelet writes them; a time changes only when its status does. */
export function planConditions({
  pod,
  phase,
  containerStatuses,
  isInitialized,
  hasSandbox,
  nowMs,
}: ConditionsInput): readonly JsonObject[] {
  const unready = containerStatuses.filter(({ ready }) => ready !== true).map((status) => textAt(status, 'name'));
  const notReady = { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const endReason = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : undefined;
  const isEnd = endReason !== undefined;
  const readiness = isEnd ? { reason: endReason } : unready.length > 0 ? notReady : {};
  const initReason =
    phase === 'Succeeded' ? { reason: 'PodCompleted' } : isInitialized || isEnd ? {} : { reason: 'ContainersNotInitialized' };
  const make = (type: string, isTrue: boolean, more: { reason?: string; message?: string } = {}): JsonObject => {
    const status = isTrue ? 'True' : 'False';
    const before = listAt(pod.status, 'conditions').find((condition) => textAt(condition, 'type') === type);
    const isSame = textAt(before, 'status') === status;
    const lastTransitionTime: JsonValue = isSame ? textAt(before, 'lastTransitionTime') : formatTime(nowMs);
    return compact({ type, observedGeneration: pod.metadata.generation, status, lastProbeTime: null, lastTransitionTime, ...more });
  };
  return [
    make('PodReadyToStartContainers', hasSandbox && !isEnd),
    make('Initialized', isInitialized || isEnd, initReason),
    make('Ready', unready.length === 0 && !isEnd, readiness),
    make('ContainersReady', unready.length === 0 && !isEnd, readiness),
    make('PodScheduled', true),
  ];
}
