import { ApiError, Code, createSemaphore, type Timers } from '../../base/index.ts';
import {
  hasOption,
  hasOptionFor,
  objectHasOption,
  propagationPolicyOf,
  respectIgnoredDifferences,
  usesServerSideApply,
  type CompareRules,
  type SyncStage,
  type SyncTask,
  type TaskOutcome,
} from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { SyncOperation } from '../../model/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { ActingCluster } from './acting-cluster.ts';
import { applyObject, describeWrite } from './apply-object.ts';
import { describeMissingKind, requirePermitted, type ProjectCheck } from './check-task.ts';
import { findType } from './find-type.ts';
import { deleteHook, isOfThisRun } from './hook-objects.ts';
import { migrateOwnership } from './migrate-ownership.ts';
import type { Expectation } from './wait-for-cache.ts';
import { waitForDefinition } from './wait-for-definition.ts';

export interface StagesInput {
  readonly cluster: ActingCluster;
  readonly projectRefusalOf: ProjectCheck;
  readonly sync: SyncOperation;
  readonly syncOptions: readonly string[];
  /** Given where what is ignored in a comparison is left alone. */
  readonly rules: CompareRules | undefined;
  /** Whose fields become ours where the server applies what a client applied before. */
  readonly migratedManager: string;
  /** Namespaces that the sync makes, or would make. */
  readonly newNamespaces: ReadonlySet<string>;
  /** How many objects are written at once. */
  readonly parallel: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

export interface StagesResult {
  readonly outcomes: readonly TaskOutcome[];
  /** What the cache has to know of before anybody looks again. */
  readonly expectations: readonly Expectation[];
}

interface Done {
  readonly outcome?: TaskOutcome;
  readonly expectation?: Expectation;
}

/** Carries out stages one after the other, and the tasks of one at the same time. What the signal cuts off is thrown, not taken for a refusal. */
export async function runStages(stages: readonly SyncStage[], input: StagesInput): Promise<StagesResult> {
  const outcomes: TaskOutcome[] = [];
  const expectations: Expectation[] = [];
  for (const { verb, tasks } of stages) {
    const room = createSemaphore({ runningMax: Math.max(1, input.parallel), waitingMax: Infinity });
    const done = await Promise.all(tasks.map((task) => room.tryRun(() => runTask(verb, task, input)) ?? runTask(verb, task, input)));
    for (const { outcome, expectation } of done) {
      if (outcome !== undefined) outcomes.push(outcome);
      if (expectation !== undefined) expectations.push(expectation);
    }
    const hasFailed = done.some(({ outcome }) => outcome?.status === 'SyncFailed');
    if (hasFailed && verb === 'prune') break;
  }
  return { outcomes, expectations };
}

async function runTask(verb: SyncStage['verb'], task: SyncTask, input: StagesInput): Promise<Done> {
  try {
    if (verb === 'prune') return await pruneTask(task, input);
    if (verb === 'delete') {
      await deleteHook(task, input);
      return { expectation: { key: task, resourceVersion: 'none' } };
    }
    return await applyTask(verb, task, input);
  } catch (error) {
    if (isBeforeItsNamespace(error, task, input)) return await pretendCreated(task, input);
    const message = messageOf(error, input.signal);
    return verb === 'dryRun' && !isRefusal(error) ? {} : { outcome: { task, status: 'SyncFailed', message } };
  }
}

/** Nothing that is tried is there for what is tried after it, so an object of a namespace that would be made finds none. */
function isBeforeItsNamespace(error: unknown, { namespace }: SyncTask, { sync, newNamespaces }: StagesInput): boolean {
  const isMissing = isStatusError(error, 'NotFound') && error.message.includes(`namespaces "${namespace}" not found`);
  return sync.dryRun === true && isMissing && newNamespaces.has(namespace);
}

async function pretendCreated(task: SyncTask, { cluster, signal }: StagesInput): Promise<Done> {
  const type = await findType(cluster, task, signal);
  return { outcome: { task, status: 'Synced', message: describeWrite(type, task.desired as KubeObject, 'created', { dryRun: true }) } };
}

/** What is wrong with the object itself will be wrong again; anything else may have passed, or come with another object, when it is its turn. */
function isRefusal(error: unknown): boolean {
  return isStatusError(error, 'Invalid') || (isStatusError(error, 'BadRequest') && !error.message.includes('does not support dry run'));
}

async function applyTask(verb: 'dryRun' | 'apply', task: SyncTask, input: StagesInput): Promise<Done> {
  const { cluster, sync, syncOptions, rules, signal } = input;
  const wanted = task.desired as KubeObject;
  const type = await findType(cluster, task, signal);
  if (type.version !== task.version) {
    // What is to serve it is only tried as well.
    if (verb === 'dryRun') return {};
    throw new ApiError(Code.NotFound, describeMissingKind(task, type.version));
  }
  const live = await liveInVersion(task, type, input);
  const desired = rules === undefined || task.isHook ? wanted : respectIgnoredDifferences(wanted, live, rules);
  const strategy = sync.syncStrategy?.hook ?? sync.syncStrategy?.apply;
  const isReplaced = hasOptionFor(desired, syncOptions, 'Replace=true');
  const dryRun = verb === 'dryRun' || sync.dryRun === true;
  requirePermitted(task, type, input.projectRefusalOf);
  const mode = isReplaced ? 'replace' : usesServerSideApply(desired, syncOptions) ? 'server-side' : 'client-side';
  const isMigrated = mode === 'server-side' && !dryRun && !hasOption(syncOptions, 'ClientSideApplyMigration=false');
  if (isMigrated && live !== undefined) await migrateOwnership({ api: cluster.api, type, live, manager: input.migratedManager, signal });
  const { message, object } = await applyObject({
    api: cluster.api,
    type,
    desired,
    live,
    // What somebody asks to be tried is shown as a client would do it.
    mode: mode === 'server-side' && sync.dryRun === true ? 'client-side' : mode,
    force: strategy?.force === true || objectHasOption(desired, 'Force=true'),
    validate: !hasOption(syncOptions, 'Validate=false') && !objectHasOption(desired, 'Validate=false'),
    dryRun,
    isOwn: (found) => isOfThisRun(task, found),
    timers: input.timers,
    signal,
  });
  if (type.kind === 'CustomResourceDefinition' && !dryRun) await waitForDefinition(object, type, input);
  return {
    outcome: { task, status: 'Synced', message },
    ...(!dryRun && { expectation: { key: task, resourceVersion: object.metadata.resourceVersion ?? '' } }),
  };
}

/** The live object as a client of the wanted version sees it: it was looked at in another one where that was not served yet. */
async function liveInVersion(
  { live, desired, name, namespace }: SyncTask,
  type: ResourceType,
  { cluster, signal }: StagesInput,
): Promise<KubeObject | undefined> {
  if (live === 'unread' || live === undefined) return undefined;
  if (live.apiVersion === desired?.apiVersion) return live;
  try {
    return await cluster.api.get(type, type.namespaced ? { name, namespace } : { name }, { keepManagedFields: true, signal });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function pruneTask(task: SyncTask, { cluster, sync, syncOptions, signal }: StagesInput): Promise<Done> {
  if (sync.dryRun === true) return { outcome: { task, status: 'Pruned', message: 'pruned (dry run)' } };
  const pruned: Done = { outcome: { task, status: 'Pruned', message: 'pruned' }, expectation: { key: task, resourceVersion: 'none' } };
  const uid = task.live === 'unread' ? undefined : task.live?.metadata.uid;
  const ref = { name: task.name, ...(task.namespace !== '' && { namespace: task.namespace }) };
  try {
    // Only what was looked at: an object that was made anew under the same name is not ours to delete.
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await cluster.api.delete(await findType(cluster, task, signal), ref, {
      propagation: propagationPolicyOf(syncOptions),
      ...preconditions,
      signal,
    });
    return pruned;
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return pruned;
    throw error;
  }
}

/** Only what an API said is shown; anything else is a mistake of ours, or the end of this process, and goes on as such. */
export function messageOf(error: unknown, signal: AbortSignal): string {
  if (!signal.aborted && (isStatusError(error) || error instanceof ApiError)) return error.message;
  throw error;
}
