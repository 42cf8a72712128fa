import { GoList, GoMap } from './value.ts';
import type { GoAny } from './value.ts';

type Step = (count?: number) => void;

/** How many characters, or items of a list, are about as much work as one step of a template. */
const SHARE = 64;

/** Takes the steps of a function that goes once over a text, or over what a list or map itself holds. */
export function weighOnce(value: GoAny | undefined, step: Step): void {
  if (typeof value === 'string') step(Math.floor(value.length / SHARE));
  else if (value instanceof GoList) step(Math.floor(value.items.length / SHARE));
  else if (value instanceof GoMap) step(Math.floor(value.entries.size / SHARE));
}

/**
 * Takes the steps of a function that goes over all of a value, before it does. What a list holds twice is gone over twice: a few lists within each
 * other can be more than any machine could print.
 */
export function weigh(value: GoAny, step: Step): void {
  step();
  weighOnce(value, step);
  if (value instanceof GoList) for (const item of value.items) weigh(item, step);
  else if (value instanceof GoMap)
    for (const [key, item] of value.entries) {
      weighOnce(key, step);
      weigh(item, step);
    }
}
