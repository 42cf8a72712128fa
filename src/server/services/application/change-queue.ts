import { ApiError, Code } from '../../../base/index.ts';

/** Changes on their way to one client. A client that lets too many pile up is cut off, and told to start again. */
export class ChangeQueue<Item> {
  readonly #max: number;
  #items: Item[] = [];
  #wake: (() => void) | undefined;
  #overflowed = false;

  constructor(max: number) {
    this.#max = max;
  }

  push(item: Item): void {
    if (this.#items.length >= this.#max) this.#overflowed = true;
    else this.#items.push(item);
    this.#wake?.();
  }

  /** All that came since the last call; waits where there is nothing. Empty only when the signal is aborted. */
  async take(signal: AbortSignal): Promise<readonly Item[]> {
    while (this.#items.length === 0 && !this.#overflowed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          this.#wake = undefined;
          signal.removeEventListener('abort', finish);
          resolve();
        };
        this.#wake = finish;
        signal.addEventListener('abort', finish);
      });
    }
    if (this.#overflowed) throw new ApiError(Code.Aborted, 'the client reads too slowly, please start the watch again');
    const items = this.#items;
    this.#items = [];
    return items;
  }
}
