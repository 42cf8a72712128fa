import { ApiError, Code, pause, type Timers } from '../../base/index.ts';
import type { KubeApi, ObjectRef, ResourceType } from '../../kube/index.ts';
import { isStatusError } from '../../objects/index.ts';

/** How long an object that was deleted is given to go: what its finalizers wait for may take long, and others wait for this sync. */
const limitMs = 30_000;
const pauses = { firstMs: 20, factor: 1.5, maxMs: 1_000 };

export interface GoneOptions {
  readonly api: KubeApi;
  readonly type: ResourceType;
  readonly ref: ObjectRef;
  /** Another object of the same name is not waited for. */
  readonly uid: string | undefined;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

/** Waits until an object that was deleted is gone. Throws ApiError where it is still there after its time, and says what holds it. */
export async function waitUntilGone({ api, type, ref, uid, timers, signal }: GoneOptions): Promise<void> {
  const endMs = timers.nowMs() + limitMs;
  for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(pauseMs * pauses.factor, pauses.maxMs)) {
    signal.throwIfAborted();
    try {
      const { metadata } = await api.get(type, ref, { signal });
      if (metadata.uid !== uid) return;
      if (timers.nowMs() >= endMs) throw stillThere(type, ref, metadata.finalizers ?? []);
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      throw error;
    }
    await pause(timers, pauseMs, signal);
  }
}

function stillThere({ kind }: ResourceType, { name }: ObjectRef, finalizers: readonly string[]): ApiError {
  const why = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  return new ApiError(
    Code.FailedPrecondition,
    `${kind} ${name} was deleted in order to be created again, and is still there after ${limitMs / 1_000} s${why}`,
  );
}
