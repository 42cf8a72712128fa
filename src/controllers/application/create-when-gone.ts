import { ApiError, Code, pause, type Timers } from '../../base/index.ts';
import type { KubeApi, ObjectRef, ResourceType } from '../../kube/index.ts';
import { isStatusError, type KubeObject, type StatusError } from '../../objects/index.ts';
import { isPassing } from './live-trouble.ts';

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

/** Of the object that was deleted; `unknown` where the cluster does not say. */
type Look = { readonly kind: 'gone' | 'unknown' } | { readonly kind: 'there'; readonly finalizers: readonly string[] };

/**
 * Creates an object anew when the one that was deleted for it is gone. As that one may be gone already, whatever keeps us from seeing it must
 * not keep the new one from being made: then it is tried. Throws ApiError where the old one is still there after its time, and says what
 * holds it.
 */
export async function createWhenGone(options: GoneOptions, create: () => Promise<KubeObject>): Promise<KubeObject> {
  const { type, ref, timers, signal } = options;
  const endMs = timers.nowMs() + limitMs;
  for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(pauseMs * pauses.factor, pauses.maxMs)) {
    const look = await lookAt(options);
    signal.throwIfAborted();
    const isLate = timers.nowMs() >= endMs;
    if (look.kind !== 'there') {
      try {
        return await create();
      } catch (error) {
        const isStillThere = look.kind === 'unknown' && isStatusError(error, 'AlreadyExists');
        if (!isStillThere && (isLate || !isAnswer(error) || !isPassing(error))) throw error;
      }
    }
    if (isLate) throw stillThere(type, ref, look.kind === 'there' ? look.finalizers : []);
    await pause(timers, pauseMs, signal);
  }
}

async function lookAt({ api, type, ref, uid, signal }: GoneOptions): Promise<Look> {
  try {
    const { metadata } = await api.get(type, ref, { signal });
    return metadata.uid === uid ? { kind: 'there', finalizers: metadata.finalizers ?? [] } : { kind: 'gone' };
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return { kind: 'gone' };
    if (isAnswer(error)) return { kind: 'unknown' };
    throw error;
  }
}

/** Whether it is what a cluster, or the way to it, says; anything else is a mistake of ours, or an end that was asked for. */
function isAnswer(error: unknown): error is ApiError | StatusError {
  return error instanceof ApiError || isStatusError(error);
}

function stillThere({ kind }: ResourceType, { name }: ObjectRef, finalizers: readonly string[]): ApiError {
  const why = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  return new ApiError(
    Code.FailedPrecondition,
    `${kind} ${name} was deleted in order to be created again, and is still there after ${limitMs / 1_000} s${why}`,
  );
}
