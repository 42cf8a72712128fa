/** How many places may be empty at the front before the rest moves up. */
const EMPTY_MAX = 1024;

/** First in, first out, at a cost that does not grow with its length. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (this.size === 0) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > EMPTY_MAX && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
