import {
  assessHealth,
  compareApplication,
  concludeDryRun,
  defaultCompareRules,
  defaultTrackingRules,
  formatKey,
  hookDeletePoliciesOf,
  keyOf,
  planSyncStep,
  recordOutcomes,
  withTracking,
  type SyncOperationFacts,
  type SyncStage,
  type SyncStep,
  type SyncTask,
  type TaskOutcome,
} from '../../src/engine/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';

export const FAILS = 'test/fails';
export const REFUSED = 'test/refused';
const HOOK_FINALIZER = 'argocd.argoproj.io/hook-finalizer';

type Results = SyncStep['results'];

export interface SimulatorOptions {
  readonly desired: readonly KubeObject[];
  readonly live?: readonly KubeObject[];
  readonly operation?: Partial<SyncOperationFacts>;
  readonly refusalOf?: (task: SyncTask) => string | undefined;
  readonly isPruneConfirmed?: boolean;
  readonly namespace?: SyncTask;
}

/**
 * Carries out the steps of a sync on objects in memory, as an executor would on a cluster: objects that are applied become healthy in the
 * next round, jobs complete, and what is deleted goes when its finalizers are gone. An annotation makes an object fail or be refused.
 */
export class SyncSimulator {
  readonly events: string[] = [];
  readonly live = new Map<string, KubeObject>();
  results: Results = [];
  isDryRunDone = false;
  last: SyncStep | undefined;
  readonly #options: SimulatorOptions;
  readonly #desired: readonly KubeObject[];
  readonly #mark = (object: KubeObject): KubeObject =>
    withTracking(object, { instanceName: 'app', destinationNamespace: 'ns', rules: defaultTrackingRules });

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#desired = options.desired.map(this.#mark);
    for (const object of options.live ?? []) this.live.set(formatKey(keyOf(object)), this.#mark(object));
  }

  /** The next step as the planner sees it now. */
  plan(): SyncStep {
    const { operation = {}, refusalOf = () => undefined, isPruneConfirmed = false, namespace } = this.#options;
    const syncOptions = operation.syncOptions ?? [];
    const comparison = compareApplication({
      application: { namespace: 'argocd', name: 'app' },
      instanceName: 'app',
      desired: this.#desired,
      live: this.live,
      tracking: defaultTrackingRules,
      rules: { ...defaultCompareRules, syncOptions },
    });
    return planSyncStep({
      operation: { ...standardOperation, ...operation },
      resources: comparison.resources,
      hooks: comparison.hooks,
      liveHook: (key) => this.live.get(formatKey(key)),
      mark: this.#mark,
      results: this.results,
      healthOf: assessHealth,
      refusalOf,
      isDryRunDone: this.isDryRunDone,
      isPruneConfirmed,
      namespace,
    });
  }

  /** Carries out one step. `stopAfter` is a crash after so many tasks: their outcomes may be lost. */
  step(stopAfter = Number.POSITIVE_INFINITY, keepsOutcomes = true): SyncStep {
    const step = this.plan();
    this.last = step;
    this.results = step.results;
    for (const task of step.release) this.#release(task);
    if (step.type === 'finish') for (const task of step.delete) this.#delete(task, 'delete');
    if (step.type === 'run') this.#run(step.stages, stopAfter, keepsOutcomes);
    return this.last;
  }

  /** Steps until the sync has ended; time passes between them. */
  run(stepsMax = 50): Extract<SyncStep, { type: 'finish' }> {
    for (let count = 0; count < stepsMax; count++) {
      const step = this.step();
      if (step.type === 'finish') return step;
      this.settle();
    }
    throw new Error(`no end after ${stepsMax} steps: ${this.last?.message ?? ''}`);
  }

  /** Controllers have done their work. */
  settle(): void {
    for (const [key, object] of this.live) {
      const { metadata } = object;
      if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) this.live.delete(key);
      else this.live.set(key, settled(object));
    }
  }

  #run(stages: readonly SyncStage[], stopAfter: number, keepsOutcomes: boolean): void {
    let left = stopAfter;
    const isTrial = this.#options.operation?.dryRun === true;
    const trials: TaskOutcome[] = [];
    for (const { verb, tasks } of stages) {
      for (const task of tasks) {
        if (left <= 0) return;
        left -= 1;
        if (verb === 'delete') {
          this.#delete(task, 'delete');
          continue;
        }
        const outcome = this.#carryOut(verb, task, isTrial);
        if (verb === 'dryRun') trials.push(outcome);
        else if (keepsOutcomes) this.results = recordOutcomes(this.results, [outcome], { dryRun: isTrial });
      }
    }
    if (stages[0]?.verb !== 'dryRun') return;
    this.isDryRunDone = true;
    const end = concludeDryRun(this.results, trials);
    if (end !== undefined) this.last = end;
    this.results = end?.results ?? this.results;
  }

  #carryOut(verb: 'dryRun' | 'apply' | 'prune', task: SyncTask, isTrial: boolean): TaskOutcome {
    const refused = task.desired?.metadata.annotations?.[REFUSED];
    if (refused === verb || (refused !== undefined && verb === 'apply'))
      return { task, status: 'SyncFailed', message: `refused ${task.name}` };
    const name = task.isHook ? `${task.phase} hook ${task.name}` : task.name;
    if (verb === 'dryRun') return { task, status: 'Synced', message: `${task.name} created (dry run)` };
    this.events.push(`${isTrial ? 'try ' : ''}${verb} ${name}`);
    if (verb === 'prune') {
      if (!isTrial) this.#delete(task, undefined);
      return { task, status: 'Pruned', message: isTrial ? 'pruned (dry run)' : 'pruned' };
    }
    if (!isTrial && task.desired !== undefined) {
      const key = formatKey(task);
      const live = this.live.get(key);
      const isLeaving = live?.metadata.deletionTimestamp !== undefined;
      if (task.isHook && live && (isLeaving || hookDeletePoliciesOf(task.desired).includes('BeforeHookCreation')))
        throw new Error(`hook ${task.name} is there already`);
      this.live.set(key, { ...live, ...task.desired });
    }
    return { task, status: 'Synced', message: `${task.name} created` };
  }

  #delete(task: SyncTask, event: string | undefined): void {
    const key = formatKey(task);
    const object = this.live.get(key);
    if (object === undefined) return;
    if (event !== undefined) this.events.push(`${event} ${task.name}`);
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== HOOK_FINALIZER);
    this.live.set(key, { ...object, metadata: { ...object.metadata, finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' } });
  }

  #release(task: SyncTask): void {
    const key = formatKey(task);
    const object = this.live.get(key);
    if (object === undefined) return;
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== HOOK_FINALIZER);
    this.live.set(key, { ...object, metadata: { ...object.metadata, finalizers } });
  }
}

const standardOperation: SyncOperationFacts = {
  startedAtMs: 1_735_689_600_000,
  attempt: 0,
  revision: '1a2b3c4d5e6f',
  dryRun: false,
  prune: false,
  usesHooks: true,
  selected: [],
  syncOptions: [],
};

function settled(object: KubeObject): KubeObject {
  const fails = object.metadata.annotations?.[FAILS] !== undefined;
  if (object.kind === 'Job') {
    const condition = { type: fails ? 'Failed' : 'Complete', status: 'True', message: fails ? 'it broke' : 'it is done' };
    return { ...object, status: { conditions: [condition] } };
  }
  if (object.kind !== 'Pod') return object;
  const status = fails ? { phase: 'Failed', message: 'it broke' } : { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  return { ...object, status };
}
