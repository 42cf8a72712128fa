import { ApiError, Code } from '../../base/index.ts';
import type { KubeLimits, Transport } from '../http/index.ts';
import type { ResourceType, WatchEvent, WatchOptions } from '../kube-api.ts';
import { resourcePath, withQuery } from '../resource-path.ts';
import { readEvents } from './read-events.ts';

const DEFAULT_SECONDS = 600;
/** The server ends a watch by itself; one that goes on this much longer has lost its server. */
const GRACE_SECONDS = 30;

/** A watch on a collection, or on what its selectors leave of it. */
export async function* openWatch(
  transport: Transport,
  limits: KubeLimits,
  type: ResourceType,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, void> {
  const { namespace, labelSelector, fieldSelector, resourceVersion, allowBookmarks, timeoutSeconds = DEFAULT_SECONDS, signal } = options;
  const query = { watch: true, labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks: allowBookmarks, timeoutSeconds };
  const path = withQuery(resourcePath(type, { namespace }), query);
  const stream = await transport.stream({ method: 'GET', path, safe: true, limitMs: limits.streamStartMs, signal });
  options.onOpen?.();
  const overdue = new ApiError(Code.DeadlineExceeded, `the cluster at ${transport.address} did not end a watch when its time was over`);
  const timer = setTimeout(() => stream.answer.destroy(overdue), (timeoutSeconds + GRACE_SECONDS) * 1000);
  timer.unref();
  const { address } = transport;
  try {
    yield* readEvents(stream.answer, { address, eventBytesMax: limits.eventBytesMax, keepManagedFields: options.keepManagedFields });
  } catch (error) {
    // What the connection says when the caller ends it is not the caller's concern.
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    stream.close();
  }
}
