import { ApiError, Code } from '../../base/index.ts';
import {
  createHealthOf,
  formatKey,
  hookDeletePoliciesOf,
  hookTypesOf,
  isOfAnother,
  keyOf,
  kindOf,
  trackingOf,
  type HookDeletePolicy,
} from '../../engine/index.ts';
import { applicationInstanceName, type Application } from '../../model/index.ts';
import { isStatusError, parseTime, type KubeObject } from '../../objects/index.ts';
import { openActingCluster, type ActingCluster } from './acting-cluster.ts';
import { createMemory } from './application-memory.ts';
import { createProjectCheck, requirePermitted, type ProjectCheck } from './check-task.ts';
import { compare } from './compare.ts';
import { trackingRulesOf } from './compare-rules.ts';
import { FIELD_MANAGER, type ControllerContext } from './controller-context.ts';
import { isDefinition } from './delete-resources.ts';
import { findType } from './find-type.ts';
import { isLiveUnknown } from './live-trouble.ts';

export type DeleteHookType = 'PreDelete' | 'PostDelete';

const FINALIZERS: Readonly<Record<DeleteHookType, string>> = {
  PreDelete: 'pre-delete-finalizer.argocd.argoproj.io',
  PostDelete: 'post-delete-finalizer.argocd.argoproj.io',
};

export function deleteHookFinalizer(type: DeleteHookType): string {
  return FINALIZERS[type];
}

/** After the hooks have run, what is left of them is cleaned up; each has a finalizer of its own, so that neither is forgotten. */
export function deleteHookCleanup(type: DeleteHookType): string {
  return `${FINALIZERS[type]}/cleanup`;
}

/** The finalizers with those that hold an application until its hooks on deletion have run; without them where it has none such. */
export function withDeleteHookFinalizers(finalizers: readonly string[], desired: readonly KubeObject[]): readonly string[] {
  const types = new Set(desired.flatMap(hookTypesOf));
  return (['PreDelete', 'PostDelete'] as const).reduce<readonly string[]>((kept, type) => {
    const own = [deleteHookFinalizer(type), deleteHookCleanup(type)];
    const others = kept.filter((finalizer) => !own.includes(finalizer));
    if (!types.has(type)) return others.length === kept.length ? kept : others;
    return own.every((finalizer) => kept.includes(finalizer)) ? kept : [...others, ...own];
  }, finalizers);
}

interface Hooks {
  readonly cluster: ActingCluster;
  readonly refusalOf: ProjectCheck;
  readonly wanted: readonly KubeObject[];
  readonly liveOf: (hook: KubeObject) => KubeObject | undefined;
  /** Whether a live object says that it is of this application; what says nothing may have been there before. */
  readonly isOwn: (live: KubeObject) => boolean;
}

async function readHooks(context: ControllerContext, application: Application, type: DeleteHookType, signal: AbortSignal): Promise<Hooks> {
  const { revision, revisions } = application.status?.sync ?? {};
  const known = revisions ?? (revision ? [revision] : []);
  const comparison = await compare(context, application, { revisions: known, fresh: false, memory: createMemory(), signal });
  if (comparison.kind !== 'compared') {
    const code = isLiveUnknown(comparison) ? Code.Unavailable : Code.FailedPrecondition;
    throw new ApiError(code, comparison.problems.map(({ message }) => message).join('; '));
  }
  const { desired, live, mark } = comparison;
  const refusalOf = createProjectCheck(context, comparison);
  const tracking = trackingRulesOf(context.settings.current);
  const instanceName = applicationInstanceName(application, context.namespace);
  const cluster = openActingCluster(context, application, comparison);
  const wanted = desired.filter((object) => hookTypesOf(object).includes(type)).map((hook) => mark(nameHook(hook, type, application)));
  const isOwn = (object: KubeObject): boolean => trackingOf(object, tracking)?.instanceName === instanceName;
  // Of a definition it is only asked that it is there.
  const mayBeHook = (object: KubeObject): boolean =>
    !isOfAnother(object, instanceName, tracking) && (hookTypesOf(object).includes(type) || isDefinition(keyOf(object)));
  return {
    cluster,
    refusalOf,
    wanted,
    liveOf(hook) {
      const found = live.get(formatKey(keyOf(hook)));
      // The last thing that an application does is held to its project like the first, and what is of others is not its to judge or delete:
      // to take somebody's Job for the hook would be to skip the hook.
      const refusal = refusalOf({ ...keyOf(hook), version: kindOf(hook).version });
      if (refusal !== undefined) throw new ApiError(Code.FailedPrecondition, `${type} hook ${describeHook(hook)}: ${refusal}`);
      if (found !== undefined && !isOwn(found) && !mayBeHook(found))
        throw new ApiError(
          Code.FailedPrecondition,
          `${type} hook ${describeHook(hook)}: the object exists, and is not of this application`,
        );
      return found;
    },
    isOwn,
  };
}

function describeHook({ kind, metadata }: KubeObject): string {
  return `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;
}

/** Where the name of a hook is to be made up, it is one for the whole deletion: each look finds what an earlier one has made. */
function nameHook(hook: KubeObject, type: DeleteHookType, { metadata: { deletionTimestamp } }: Application): KubeObject {
  const { generateName, ...metadata } = hook.metadata;
  if (metadata.name || !generateName) return hook;
  const deletedMs = (deletionTimestamp ? parseTime(deletionTimestamp) : undefined) ?? 0;
  return { ...hook, metadata: { ...metadata, name: `${generateName}${type.toLowerCase()}-${Math.floor(deletedMs / 1000)}` } };
}

/** Runs the hooks of an application that goes. True when all have succeeded; throws where one has failed, which is then tried again. */
export async function runDeleteHooks(
  context: ControllerContext,
  application: Application,
  type: DeleteHookType,
  signal: AbortSignal,
): Promise<boolean> {
  const { cluster, refusalOf, wanted, liveOf, isOwn } = await readHooks(context, application, type, signal);
  const healthOf = createHealthOf(context.settings.current.resourceOverrides, () => context.clock.nowMs());
  let isDone = true;
  const failed: string[] = [];
  const found = wanted.map((hook) => ({ hook, live: liveOf(hook) }));
  for (const { hook, live } of found) {
    if (live === undefined) {
      isDone = false;
      await createOnce(cluster, hook, refusalOf, signal);
      continue;
    }
    const status = healthOf(live)?.status ?? 'Healthy';
    if (status === 'Degraded' || status === 'Unknown') failed.push(`${live.metadata.namespace ?? ''}/${live.metadata.name ?? ''}`);
    else if (status !== 'Healthy') isDone = false;
  }
  if (failed.length === 0) return isDone;
  for (const { live } of found) if (live !== undefined && isOwn(live)) await removeHook(cluster, live, signal);
  throw new ApiError(Code.FailedPrecondition, `${type} hook(s) failed: ${failed.join(', ')}`);
}

/**
 * Deletes those hooks whose policy says that they go when they have succeeded. True when they are gone. What is not marked stays: definitions
 * never are, and whatever else is not may be somebody's.
 */
export async function cleanDeleteHooks(
  context: ControllerContext,
  application: Application,
  type: DeleteHookType,
  signal: AbortSignal,
): Promise<boolean> {
  const { cluster, wanted, liveOf, isOwn } = await readHooks(context, application, type, signal);
  const policy: HookDeletePolicy = 'HookSucceeded';
  const leaving = wanted.filter((hook) => hookDeletePoliciesOf(hook).includes(policy));
  const left = leaving.flatMap((hook) => liveOf(hook) ?? []).filter(isOwn);
  for (const live of left) await removeHook(cluster, live, signal);
  return left.length === 0;
}

async function createOnce(cluster: ActingCluster, hook: KubeObject, refusalOf: ProjectCheck, signal: AbortSignal): Promise<void> {
  const type = await findType(cluster, kindOf(hook), signal);
  requirePermitted({ ...keyOf(hook), version: kindOf(hook).version }, type, refusalOf);
  try {
    await cluster.api.create(type, hook, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    // It was made a moment ago, and the cache has not heard of it.
    if (!isStatusError(error, 'AlreadyExists')) throw error;
  }
}

async function removeHook(cluster: ActingCluster, live: KubeObject, signal: AbortSignal): Promise<void> {
  const { apiVersion, kind, metadata } = live;
  const preconditions = metadata.uid === undefined ? {} : { preconditions: { uid: metadata.uid } };
  const ref = { name: metadata.name ?? '', ...(metadata.namespace && { namespace: metadata.namespace }) };
  try {
    await cluster.api.delete(await findType(cluster, kindOf({ apiVersion, kind }), signal), ref, {
      propagation: 'Background',
      ...preconditions,
      signal,
    });
  } catch (error) {
    // It is gone, or another has its name.
    if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
  }
}
