import { isStatusError } from '../../objects/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { WatchEvent } from '../../kube/index.ts';

/**
 * Events as lines of JSON. Resolves when the watch has begun, which `open` is given a function to say; rejects where it is refused. What
 * happens to it later is told as its last event.
 */
export async function openWatchLines(
  open: (onOpen: () => void) => AsyncIterable<WatchEvent>,
  encode: (event: WatchEvent) => string,
): Promise<AsyncIterable<string>> {
  const begun = Promise.withResolvers<void>();
  const iterator = open(begun.resolve)[Symbol.asyncIterator]();
  const first = iterator.next();
  await Promise.race([first, begun.promise]);
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
