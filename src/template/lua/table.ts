import type { Budget } from '../budget.ts';
import type { LuaValue } from './value.ts';

/** What an entry costs of the memory that a script may take, about as much as it takes. */
const ENTRY_COST = 64;

/** How far behind the last item another may be: the places between count as items, as in the original, which knows no such limit. */
const GAP_MAX = 4096;

/**
 * A table: items from 1 on in a list, and everything else by key. Keys are walked through in the order in which they first came, also when
 * an entry is taken out in between and put back.
 */
export class LuaTable {
  metatable: LuaTable | undefined;
  readonly #budget: Budget;
  /** May have holes, but does not end with one. */
  readonly #items: LuaValue[] = [];
  /** Where the value of a key is. */
  #places: Map<LuaValue, number> | undefined;
  #keys: LuaValue[] = [];
  #values: LuaValue[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The last place that is filled of those from 1 on. */
  get length(): number {
    return this.#items.length;
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.#items.length && Number.isInteger(key)) return this.#items[key - 1];
    const place = this.#places?.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  /** The key must be neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue): void {
    if (typeof key !== 'number' || key < 1 || key > this.#items.length + GAP_MAX || !Number.isInteger(key)) this.#setEntry(key, value);
    else if (value !== undefined || key <= this.#items.length) this.#setItem(key, value);
    else this.#setEntry(key, value);
  }

  /** Puts an item before another; those from there on move up. */
  insertItem(at: number, value: LuaValue): void {
    this.#budget.make(ENTRY_COST);
    this.#budget.step(1 + (this.#items.length - at) / 16);
    this.#items.splice(at - 1, 0, value);
    this.#trim();
    this.#takeOver();
  }

  removeItem(at: number): LuaValue {
    this.#budget.step(1 + (this.#items.length - at) / 16);
    const [removed] = this.#items.splice(at - 1, 1);
    this.#trim();
    return removed;
  }

  /** The items from 1 on, to be read only. */
  get items(): readonly LuaValue[] {
    return this.#items;
  }

  /** Puts other items in the place of those there are. */
  replaceItems(items: readonly LuaValue[]): void {
    for (const [index, item] of items.entries()) this.#items[index] = item;
    this.#trim();
  }

  /** Adds items behind a place, as a constructor does; holes stay. */
  appendFrom(at: number, values: readonly LuaValue[]): void {
    this.#budget.make(values.length * ENTRY_COST);
    for (const [index, value] of values.entries()) this.#items[at + index - 1] = value;
    this.#trim();
    this.#takeOver();
  }

  /** The entry after that of a key, and the first for nil; undefined at the end, and null for a key that was never there. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined | null {
    let place = 0;
    if (key === undefined || (typeof key === 'number' && key >= 1 && key <= this.#items.length && Number.isInteger(key))) {
      for (let index = key ?? 0; typeof index === 'number' && index < this.#items.length; index += 1) {
        if (this.#items[index] !== undefined) return [index + 1, this.#items[index]];
      }
    } else {
      const known = this.#places?.get(key);
      // An item that has gone since was the last one.
      if (known === undefined && !(typeof key === 'number' && Number.isInteger(key) && key > 0)) return null;
      place = known === undefined ? 0 : known + 1;
    }
    for (; place < this.#keys.length; place += 1) {
      if (this.#values[place] !== undefined) return [this.#keys[place], this.#values[place]];
    }
    return undefined;
  }

  #setItem(key: number, value: LuaValue): void {
    if (key <= this.#items.length) {
      this.#items[key - 1] = value;
      if (value === undefined) this.#trim();
      return;
    }
    this.#budget.make(ENTRY_COST * (key - this.#items.length));
    for (let gap = this.#items.length + 1; gap < key; gap += 1) this.#items.push(this.#take(gap));
    this.#take(key);
    this.#items.push(value);
    this.#takeOver();
  }

  #setEntry(key: LuaValue, value: LuaValue): void {
    const place = this.#places?.get(key);
    if (place !== undefined) {
      this.#values[place] = value;
      return;
    }
    if (value === undefined) return;
    this.#budget.make(ENTRY_COST);
    this.#places ??= new Map();
    this.#places.set(key, this.#keys.length);
    this.#keys.push(key);
    this.#values.push(value);
  }

  /** Entries that follow on the items become items. */
  #takeOver(): void {
    for (let value = this.#take(this.#items.length + 1); value !== undefined; value = this.#take(this.#items.length + 1))
      this.#items.push(value);
  }

  /** The value of a key, which is then no entry any more. */
  #take(key: number): LuaValue {
    const place = this.#places?.get(key);
    if (place === undefined) return undefined;
    const value = this.#values[place];
    this.#values[place] = undefined;
    return value;
  }

  #trim(): void {
    while (this.#items.length > 0 && this.#items.at(-1) === undefined) this.#items.pop();
  }
}
