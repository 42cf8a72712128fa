import { ApiError, backOffMs, Code, pause, systemTimers, type Timers } from '../base/index.ts';
import type { KubeApi, ResourceType } from '../kube/index.ts';
import { isStatusError, type KubeObject } from '../objects/index.ts';

/** With each conflict somebody else has got further, so this many mean that something is wrong. */
const attemptsMax = 40;
const conflictBackOff = { firstMs: 4, maxMs: 250 };
const callTimeoutMs = 30_000;

export interface Home {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly randomNumber: () => number;
  readonly timers?: Timers;
  /** Gives up what is under way. */
  readonly signal?: AbortSignal;
}

export interface ModifyOptions {
  readonly type: ResourceType;
  readonly name: string;
  /**
   * Says what the object shall be, given what it is (undefined when it is not there); returns undefined to leave it as it is. It is
   * asked again, with what is there then, when somebody else was faster.
   */
  readonly change: (object: KubeObject | undefined) => KubeObject | undefined | Promise<KubeObject | undefined>;
}

/**
 * Changes one object, or makes it, without ever undoing what somebody else did meanwhile: a write counts only for the version that
 * was read. Returns the object as it then is, and whether we wrote it.
 */
export async function modifyObject(home: Home, options: ModifyOptions): Promise<{ object: KubeObject | undefined; written: boolean }> {
  const { type, name, change } = options;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const existing = await readObject(home, type, name);
    const wanted = await change(existing);
    if (wanted === undefined) return { object: existing, written: false };
    try {
      return { object: await writeObject(home, type, existing, wanted), written: true };
    } catch (error) {
      if (!isOvertaken(error, existing)) throw error;
    }
    await pause(home.timers ?? systemTimers, backOffMs(conflictBackOff, attempt, home.randomNumber), home.signal);
    home.signal?.throwIfAborted();
  }
  throw new ApiError(Code.Aborted, `${type.kind} ${name} is being changed by others all the time; try again`);
}

/** Undefined when it is not there. */
export async function readObject(home: Home, type: ResourceType, name: string): Promise<KubeObject | undefined> {
  const { api, namespace } = home;
  try {
    return await api.get(type, placeOf(type, namespace, name), { signal: callSignal(home) });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

function writeObject(home: Home, type: ResourceType, existing: KubeObject | undefined, wanted: KubeObject): Promise<KubeObject> {
  const { api } = home;
  const options = { signal: callSignal(home), fieldManager: 'fairway' };
  if (existing === undefined) return api.create(type, wanted, options);
  const { resourceVersion, uid } = existing.metadata;
  const metadata = { ...wanted.metadata, ...(resourceVersion !== undefined && { resourceVersion }), ...(uid !== undefined && { uid }) };
  return api.update(type, { ...wanted, metadata }, options);
}

/** Whether somebody else made, changed or removed it between our reading and our writing. */
function isOvertaken(error: unknown, existing: KubeObject | undefined): boolean {
  if (existing === undefined) return isStatusError(error, 'AlreadyExists');
  return isStatusError(error, 'Conflict', 'NotFound');
}

function callSignal({ signal }: Home): AbortSignal {
  const limit = AbortSignal.timeout(callTimeoutMs);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

function placeOf(type: ResourceType, namespace: string, name: string) {
  return type.namespaced ? { namespace, name } : { name };
}
