import { isStatusError } from '../../objects/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { WatchEvent } from '../../kube/index.ts';

/** How long a watch may take to be refused before it is taken to have begun. */
const REFUSAL_MS = 10;

/**
 * Events as lines of JSON. Resolves when the watch has begun; rejects where it is refused at once. What happens to it later is told as
 * its last event.
 */
export async function openWatchLines(
  events: AsyncIterable<WatchEvent>,
  encode: (event: WatchEvent) => string,
): Promise<AsyncIterable<string>> {
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  const begun = Promise.withResolvers<void>();
  const timer = setTimeout(begun.resolve, REFUSAL_MS);
  try {
    await Promise.race([first, begun.promise]);
  } finally {
    clearTimeout(timer);
  }
  return {
    [Symbol.asyncIterator]: () => {
      let next: Promise<IteratorResult<WatchEvent>> | undefined = first;
      const take = async (): Promise<IteratorResult<string>> => {
        const pending = next ?? iterator.next();
        next = undefined;
        try {
          const result = await pending;
          return result.done === true ? { done: true, value: undefined } : { done: false, value: `${encode(result.value)}\n` };
        } catch (error) {
          if (!isStatusError(error)) throw error;
          next = Promise.resolve({ done: true, value: undefined });
          return { done: false, value: `${JSON.stringify({ type: 'ERROR', object: error.status })}\n` };
        }
      };
      return {
        next: take,
        return: async () => {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A plain event; the object's text may be at hand already. */
export function encodeEvent(event: WatchEvent, textOf: (object: KubeObject) => string): string {
  const text = event.type === 'ERROR' ? JSON.stringify(event.object) : textOf(event.object);
  return `{"type":"${event.type}","object":${text}}`;
}
