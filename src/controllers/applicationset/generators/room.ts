import { ApiError, Code } from '../../../base/index.ts';
import { GoList, GoMap, type GoAny } from '../../../template/index.ts';
import type { ParameterSet } from './generator.ts';

/** What the generators of one run may hold at once: some hundred megabytes, and far more than anybody writes. */
const valuesMax = 2_000_000;

/** Counts the values that are held in one run over an application set. */
export interface Room {
  /** Throws ApiError where there is no room for as many more. */
  take(values: number): void;
}

export function createRoom(): Room {
  let taken = 0;
  return {
    take(values) {
      taken += values;
      if (taken > valuesMax)
        throw new ApiError(Code.ResourceExhausted, `the generators yield more than ${valuesMax} values in all their sets of parameters`);
    },
  };
}

export function countAll(sets: readonly ParameterSet[]): number {
  let count = 0;
  for (const set of sets) count += countValues(set);
  return count;
}

/** All that is in a value, and the value itself. */
export function countValues(value: GoAny): number {
  if (value instanceof GoList) {
    let count = 1;
    for (const item of value.items) count += countValues(item);
    return count;
  }
  if (!(value instanceof GoMap)) return 1;
  let count = 1;
  for (const item of value.entries.values()) count += countValues(item);
  return count;
}
