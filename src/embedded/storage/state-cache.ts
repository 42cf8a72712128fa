import type { ObjectKey, StoredObject } from './stored-object.ts';

/**
 * The states that were used lately, within a budget of characters: a few large ones or many small ones. There are two generations; when
 * the young one has had its half of the budget it becomes the old one, and what nobody has asked for since the last time goes.
 */
export class StateCache {
  readonly #charactersMax: number;
  #young = new Map<string, StoredObject>();
  #old = new Map<string, StoredObject>();
  #youngCharacters = 0;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get(key: ObjectKey): StoredObject | undefined {
    const id = cacheId(key);
    const state = this.#young.get(id);
    if (state !== undefined) return state;
    const old = this.#old.get(id);
    if (old !== undefined) this.#add(id, old);
    return old;
  }

  set(key: ObjectKey, state: StoredObject): void {
    const id = cacheId(key);
    this.#old.delete(id);
    this.#add(id, state);
  }

  delete(key: ObjectKey): void {
    const id = cacheId(key);
    this.#old.delete(id);
    this.#youngCharacters -= this.#young.get(id)?.size ?? 0;
    this.#young.delete(id);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngCharacters = 0;
  }

  #add(id: string, state: StoredObject): void {
    this.#youngCharacters += state.size - (this.#young.get(id)?.size ?? 0);
    this.#young.set(id, state);
    if (this.#youngCharacters <= this.#charactersMax / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngCharacters = 0;
  }
}

/** No part of a key can hold a slash. */
function cacheId({ resource, namespace, name }: ObjectKey): string {
  return `${resource}/${namespace}/${name}`;
}
