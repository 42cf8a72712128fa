import type { Timers } from '../../base/index.ts';

/** How long a stream may go on after its reader is no longer signed in. */
const checkEveryMs = 10_000;

export interface WhileSignedInOptions {
  readonly timers: Timers;
  /** Never rejects. */
  readonly isSignedIn: () => Promise<boolean>;
  /** Called where the stream is ended because its reader is not. */
  readonly onEnd: () => void;
}

/**
 * The same stream for as long as its reader is signed in. It ends as one does whose time is over: a client that asks anew is told why it is
 * refused.
 */
export function whileSignedIn<Piece>(
  pieces: AsyncIterable<Piece>,
  { timers, isSignedIn, onEnd }: WhileSignedInOptions,
): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = pieces[Symbol.asyncIterator]();
      let isOver = false;
      let wake: (() => void) | undefined;
      let cancel = (): void => undefined;
      const finish = (): void => {
        isOver = true;
        cancel();
      };
      const watch = (): void => {
        cancel = timers.schedule(checkEveryMs, () => {
          void isSignedIn().then((isStill) => {
            if (isOver) return;
            if (isStill) {
              watch();
              return;
            }
            finish();
            onEnd();
            wake?.();
          });
        });
      };
      watch();
      return {
        // Not a race with one promise for the whole stream: that would remember every piece until the stream ends.
        next: () =>
          new Promise<IteratorResult<Piece>>((resolve, reject) => {
            wake = () => resolve({ done: true, value: undefined });
            if (isOver) wake();
            else
              iterator.next().then(
                (result) => {
                  if (result.done === true) finish();
                  resolve(result);
                },
                (error: unknown) => {
                  finish();
                  reject(error);
                },
              );
          }),
        return: async () => {
          finish();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
