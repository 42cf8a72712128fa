/** A map that forgets the entry that was not used for the longest time when it is full. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #sizeMax: number;
  /** The key used last: asked for again, it need not move. */
  #newest: Key | undefined;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    if (key === this.#newest) return value;
    // A Map keeps insertion order: what is used moves to the end, and the front is what goes first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.#sizeMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
