export interface WeighedMapOptions<Value> {
  readonly weightMax: number;
  /** Always the same for the same entry. */
  readonly weightOf: (key: string, value: Value) => number;
}

/** A map that forgets the entries that were not used for the longest time when all are too heavy together. */
export class WeighedMap<Value> {
  readonly #options: WeighedMapOptions<Value>;
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  constructor(options: WeighedMapOptions<Value>) {
    this.#options = options;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A Map keeps insertion order: what is used moves to the end, and the front is what goes first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    const { weightMax, weightOf } = this.#options;
    this.delete(key);
    const weight = weightOf(key, value);
    // One that would push out most of the others is not worth it.
    if (weight > weightMax / 4) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= weightMax) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#options.weightOf(key, value);
  }
}
