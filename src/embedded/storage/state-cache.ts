import type { ObjectKey, StoredObject } from './stored-object.ts';

/** The states that were used last, within a budget of characters: a few large ones or many small ones. */
export class StateCache {
  readonly #states = new Map<string, StoredObject>();
  readonly #charactersMax: number;
  #characters = 0;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get(key: ObjectKey): StoredObject | undefined {
    const id = cacheId(key);
    const state = this.#states.get(id);
    if (state === undefined) return undefined;
    // A Map keeps insertion order: what is used moves to the end, and the front is what goes first.
    this.#states.delete(id);
    this.#states.set(id, state);
    return state;
  }

  set(key: ObjectKey, state: StoredObject): void {
    this.delete(key);
    this.#states.set(cacheId(key), state);
    this.#characters += state.text.length;
    for (const [id, oldest] of this.#states) {
      if (this.#characters <= this.#charactersMax) return;
      this.#states.delete(id);
      this.#characters -= oldest.text.length;
    }
  }

  delete(key: ObjectKey): void {
    const id = cacheId(key);
    this.#characters -= this.#states.get(id)?.text.length ?? 0;
    this.#states.delete(id);
  }

  clear(): void {
    this.#states.clear();
    this.#characters = 0;
  }
}

/** No part of a key can hold a slash. */
function cacheId({ resource, namespace, name }: ObjectKey): string {
  return `${resource}/${namespace}/${name}`;
}
