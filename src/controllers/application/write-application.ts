import { applicationType, normalizeSpec, type Application, type ApplicationStatus } from '../../model/index.ts';
import { createMergePatch, formatTime, isStatusError, sameJson, type JsonObject, type JsonValue } from '../../objects/index.ts';
import type { ControllerContext } from './controller-context.ts';
import { refreshAnnotation } from './plan-refresh.ts';
import { isTooLarge, slimStatus } from './slim-status.ts';

export interface ApplicationChange {
  readonly status?: ApplicationStatus;
  /** The refresh that was asked for is done. */
  readonly isRefreshed?: boolean;
  /** The operation is over. */
  readonly isOperationOver?: boolean;
  readonly operation?: Application['operation'];
  readonly finalizers?: readonly string[];
}

/** Somebody else wrote to the application since it was read: what was decided is decided again with what they wrote. */
export class StaleApplication extends Error {}

/**
 * Writes what changed of an application, in one request, and only if nobody wrote to it in the meantime; nothing where nothing changed. A
 * status that is more than the cluster takes is written without its long lists. Returns the application as it is then, or undefined where
 * it is gone. Throws StaleApplication.
 */
export async function writeApplication(
  context: ControllerContext,
  application: Application,
  change: ApplicationChange,
  signal: AbortSignal,
): Promise<Application | undefined> {
  try {
    return await store(context, application, change, signal);
  } catch (error) {
    if (change.status === undefined || !isTooLarge(error)) throw error;
    const { namespace = '', name = '' } = application.metadata;
    context.log.warn('the status of an application is too large to be kept as a whole', { application: `${namespace}/${name}` });
    const status = slimStatus(change.status, application.status, formatTime(context.clock.nowMs()));
    return store(context, application, { ...change, status }, signal);
  }
}

async function store(
  { home, applications, namespace }: ControllerContext,
  application: Application,
  change: ApplicationChange,
  signal: AbortSignal,
): Promise<Application | undefined> {
  const body = planChange(application, change);
  if (body === undefined) return application;
  const { metadata } = application;
  const ref = { namespace: metadata.namespace ?? namespace, name: metadata.name ?? '' };
  const guarded: JsonObject = {
    ...body,
    metadata: { ...(body['metadata'] as JsonObject | undefined), resourceVersion: metadata.resourceVersion ?? '' },
  };
  try {
    const stored = await home.patch(applicationType, ref, { type: 'merge', body: guarded }, { signal });
    applications.noticeWrite(stored);
    return stored as unknown as Application;
  } catch (error) {
    if (isStatusError(error, 'Conflict')) throw new StaleApplication('the application has changed', { cause: error });
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The merge patch, without the version that guards it; undefined where there is nothing to write. */
export function planChange(application: Application, change: ApplicationChange): JsonObject | undefined {
  const { metadata, spec } = application;
  const status = change.status === undefined ? {} : planPart(application.status ?? {}, change.status);
  const normalized = planPart(spec, normalizeSpec(spec));
  const finalizers = change.finalizers ?? metadata.finalizers ?? [];
  const metadataPatch: JsonObject = {
    ...(change.isRefreshed === true && metadata.annotations?.[refreshAnnotation] !== undefined
      ? { annotations: { [refreshAnnotation]: null } }
      : {}),
    ...(finalizers.join('\n') === (metadata.finalizers ?? []).join('\n') ? {} : { finalizers: [...finalizers] }),
  };
  const body: JsonObject = {
    ...(Object.keys(status).length > 0 && { status }),
    ...(Object.keys(normalized).length > 0 && { spec: normalized }),
    ...(Object.keys(metadataPatch).length > 0 && { metadata: metadataPatch }),
    ...planOperation(application, change),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

function planOperation({ operation: before }: Application, { operation, isOperationOver }: ApplicationChange): JsonObject {
  if (operation === undefined) return isOperationOver === true && before ? { operation: null } : {};
  // One that follows on another must not keep anything of it.
  const patch = planPart(before ?? {}, operation);
  return Object.keys(patch).length > 0 ? { operation: patch } : {};
}

function planPart(before: object, after: object): JsonObject {
  return sameJson(before, after) ? {} : createMergePatch(toJson(before), toJson(after));
}

/** Through JSON, which has no fields that are undefined. */
function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonValue as JsonObject;
}
