import { textAt } from '../json-path.ts';
import { annotationOf, controllerUid } from './view.ts';
import type { View } from './view.ts';
import type { ObjectCache } from './object-cache.ts';
import { isWorkloadKind } from './workload-types.ts';

export const BEHAVIOR_ANNOTATION = 'simulate.fairway.dev/behavior';
export const DELAY_ANNOTATION = 'simulate.fairway.dev/delay';
const REVISION_ANNOTATION = 'deployment.kubernetes.io/revision';
/** Pod, ReplicaSet or Job, Deployment or CronJob. */
const OWNERS_MAX = 3;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export type Behavior = 'normal' | 'fail' | 'hang' | 'crash-loop';

/** How a workload shall behave, as its annotations say. */
export interface Simulation {
  readonly behavior: Behavior;
  /** How long it takes to start, or to get what it waits for. */
  readonly delayMs: number;
}

/** What an object's own annotations say, and where they are silent, those of what controls it. */
export function simulationOf(cache: ObjectCache, view: View): Simulation {
  const chain = ownersOf(cache, view);
  const find = (name: string): string => chain.map((owner) => annotationOf(owner, name)).find((value) => value !== undefined) ?? '';
  return { behavior: parseBehavior(find(BEHAVIOR_ANNOTATION)), delayMs: parseDelay(find(DELAY_ANNOTATION)) };
}

export function hasSameSimulation(left: View | undefined, right: View | undefined): boolean {
  return [BEHAVIOR_ANNOTATION, DELAY_ANNOTATION, REVISION_ANNOTATION].every(
    (name) => (left && annotationOf(left, name)) === (right && annotationOf(right, name)),
  );
}

function ownersOf(cache: ObjectCache, view: View): readonly View[] {
  const chain = [view];
  for (let current = view; chain.length <= OWNERS_MAX;) {
    const reference = current.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (reference === undefined || !isWorkloadKind(reference.kind)) break;
    const owner = cache.get(reference.kind, current.namespace, reference.name);
    if (owner === undefined || owner.uid !== controllerUid(current)) break;
    if (owner.kind === 'Deployment') {
      // The annotation on a Deployment speaks of its present revision only: the pods of an older one go on as they were. What the
      // controller has copied to the ReplicaSet counts for nothing, as it stays there when it is taken back.
      chain.splice(chain.indexOf(current), 1);
      if (annotationOf(current, REVISION_ANNOTATION) !== annotationOf(owner, REVISION_ANNOTATION)) break;
    }
    chain.push(owner);
    current = owner;
  }
  return chain;
}

function parseBehavior(text: string): Behavior {
  return text === 'fail' || text === 'hang' || text === 'crash-loop' ? text : 'normal';
}

/** Milliseconds of a text such as `5s`, `1m30s` or `250ms`; zero for any other. */
export function parseDelay(text: string): number {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return 0;
  let total = 0;
  for (const [, number = '0', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) total += Number(number) * (UNIT_MS[unit] ?? 0);
  return Math.min(total, 2 ** 31 - 1);
}

/** What a workload's pod template says, and where it is silent, the workload itself. */
export function workloadSimulation(view: View): Simulation {
  const find = (name: string): string => textAt(view.spec, 'template', 'metadata', 'annotations', name) || (annotationOf(view, name) ?? '');
  return { behavior: parseBehavior(find(BEHAVIOR_ANNOTATION)), delayMs: parseDelay(find(DELAY_ANNOTATION)) };
}
