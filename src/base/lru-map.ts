/** A map that forgets the entry that was not used for the longest time when it is full. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #sizeMax: number;
  /** The key used last: asked for again, it need not move. */
  #newest: Key | undefined;
  #newestValue: Value | undefined;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Without making them used; the one that goes first comes first. */
  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  get(key: Key): Value | undefined {
    // Before the map is asked: it would hash the key, and a long text that was just read from a socket has no hash yet.
    if (key === this.#newest) return this.#newestValue;
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A Map keeps insertion order: what is used moves to the end, and the front is what goes first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    this.#newestValue = value;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    this.#newestValue = value;
    if (this.#entries.size <= this.#sizeMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
    if (key !== this.#newest) return;
    this.#newest = undefined;
    this.#newestValue = undefined;
  }
}
