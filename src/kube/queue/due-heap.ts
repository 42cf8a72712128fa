/** Something that falls due, unless it is cancelled before. */
export interface Due<Item> {
  readonly item: Item;
  readonly dueMs: number;
  cancelled: boolean;
}

/** Gives out what falls due, soonest first. What is cancelled stays until it comes to the top, or until it is the larger part. */
export class DueHeap<Item> {
  #entries: Due<Item>[] = [];
  #cancelled = 0;

  /** Without what is cancelled. */
  get size(): number {
    return this.#entries.length - this.#cancelled;
  }

  add(item: Item, dueMs: number): Due<Item> {
    const due: Due<Item> = { item, dueMs, cancelled: false };
    this.#entries.push(due);
    this.#rise(this.#entries.length - 1);
    return due;
  }

  cancel(due: Due<Item>): void {
    if (due.cancelled) return;
    due.cancelled = true;
    this.#cancelled += 1;
    if (this.#cancelled * 2 > this.#entries.length && this.#cancelled > 64) this.#sweep();
  }

  /** When the next is due; undefined where nothing waits. */
  get nextMs(): number | undefined {
    this.#dropCancelled();
    return this.#entries[0]?.dueMs;
  }

  /** Takes out the next that is due by now. */
  take(nowMs: number): Due<Item> | undefined {
    this.#dropCancelled();
    const first = this.#entries[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.#removeFirst();
    // It is out: a cancellation that comes too late must not be counted.
    first.cancelled = true;
    return first;
  }

  clear(): void {
    this.#entries = [];
    this.#cancelled = 0;
  }

  #dropCancelled(): void {
    while (this.#entries[0]?.cancelled === true) {
      this.#removeFirst();
      this.#cancelled -= 1;
    }
  }

  #sweep(): void {
    // A sorted array is a heap.
    this.#entries = this.#entries.filter(({ cancelled }) => !cancelled).toSorted((one, other) => one.dueMs - other.dueMs);
    this.#cancelled = 0;
  }

  #removeFirst(): void {
    const last = this.#entries.pop();
    if (last === undefined || this.#entries.length === 0) return;
    this.#entries[0] = last;
    this.#sink(0);
  }

  #dueAt(index: number): number {
    return this.#entries[index]?.dueMs ?? Infinity;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#entries[one], this.#entries[other]];
    if (first === undefined || second === undefined) return;
    this.#entries[one] = second;
    this.#entries[other] = first;
  }

  #rise(index: number): void {
    for (let child = index; child > 0;) {
      const parent = (child - 1) >> 1;
      if (this.#dueAt(parent) <= this.#dueAt(child)) return;
      this.#swap(parent, child);
      child = parent;
    }
  }

  #sink(index: number): void {
    for (let parent = index; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const child = this.#dueAt(right) < this.#dueAt(left) ? right : left;
      if (child >= this.#entries.length || this.#dueAt(parent) <= this.#dueAt(child)) return;
      this.#swap(parent, child);
      parent = child;
    }
  }
}
