import { ApiError, Code } from '../../../base/index.ts';
import type { GoAny } from '../../../template/index.ts';
import { formatText } from './flatten.ts';
import type { ParameterSet } from './generator.ts';
import { mergeValues } from './merge-values.ts';
import { parametersOf } from './values.ts';

/** One set of the first generator together with one of the second. */
export function combineSets(first: ParameterSet, second: ParameterSet, goTemplate: boolean): ParameterSet {
  if (goTemplate) return mergeValues(second, first);
  const combined = new Map<string, GoAny>();
  for (const [key, value] of [...first.entries, ...second.entries]) {
    const text = formatText(value);
    const before = combined.get(key);
    if (before !== undefined && before !== text)
      throw new ApiError(Code.InvalidArgument, `found duplicate key ${key} with different value, a: ${before as string} ,b: ${text}`);
    combined.set(key, text);
  }
  return parametersOf(combined);
}
