import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';

type Steps = Pick<Budget, 'step'>;

/** What a look at parts of a value, or a copy of them, is in steps of a query, which take about half a microsecond. */
export const PER_VALUE = 1 / 16;
export const PER_ITEM = 1 / 64;
const PER_FIELD = 1 / 8;
const PER_CHARACTER = 1 / 64;
/** Of a text times those that are looked for in it: where much of it is alike, each place is tried. */
const PER_PAIR = 1 / 65_536;
/** Names and most values are no longer: what is done with them is in the steps that lead to it. */
const SHORT_TEXT = 64;

/** Takes the steps for a look at all characters of a text, all items of a list or all fields of an object, but not into them. */
export function spendOnce(value: JsonValue, budget: Steps): void {
  if (typeof value === 'string') spendOnText(value.length, budget);
  else if (isJsonArray(value)) budget.step(value.length * PER_ITEM);
  else if (isJsonObject(value)) {
    const keys = Object.keys(value);
    budget.step(keys.length * PER_FIELD);
    for (const key of keys) spendOnText(key.length, budget);
  }
}

/** Takes the steps for a look at everything in a value. What is in it in several places counts in each of them. */
export function spendWhole(value: JsonValue, budget: Steps): void {
  budget.step(PER_VALUE);
  spendOnce(value, budget);
  if (isJsonArray(value)) for (const item of value) spendWhole(item, budget);
  else if (isJsonObject(value)) for (const item of Object.values(value)) spendWhole(item, budget);
}

export function spendOnText(length: number, budget: Steps): void {
  if (length > SHORT_TEXT) budget.step(length * PER_CHARACTER);
}

/** Takes the steps for a search of one text in another. */
export function spendOnSearch(text: string, part: string, budget: Steps): void {
  budget.step(text.length * PER_CHARACTER + text.length * part.length * PER_PAIR);
}
