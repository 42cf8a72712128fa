import { expectNumber } from './expect.ts';
import type { Runtime } from './runtime.ts';
import { codePoints } from './text.ts';
import { JsonnetArray, typeOf } from './value.ts';
import type { Value } from './value.ts';

/** `target[from:to:step]`, with null for what is not given. Negative bounds count from the end. */
export function sliceValue(runtime: Runtime, target: Value, [from, to, step]: readonly [Value, Value, Value]): Value {
  if (typeof target === 'string') return takeSlice(runtime, codePoints(target), from, to, step).join('');
  if (target instanceof JsonnetArray) return new JsonnetArray(takeSlice(runtime, target.slots, from, to, step));
  throw runtime.fail(`std.slice accepts a string or an array, but got: ${typeOf(target)}`);
}

function takeSlice<Item>(runtime: Runtime, items: readonly Item[], ...[from, to, step]: readonly [Value, Value, Value]): Item[] {
  const bound = (value: Value, standard: number): number => {
    if (value === null) return standard;
    const number = expectNumber(runtime, value);
    return number < 0 ? Math.max(0, items.length + number) : number;
  };
  const stride = step === null ? 1 : expectNumber(runtime, step);
  const [first, last] = [bound(from, 0), Math.min(bound(to, items.length), items.length)];
  if (stride < 0) throw runtime.fail(`got [${first}:${last}:${stride}] but negative steps are not supported`);
  if (stride === 0) throw runtime.fail(`got ${stride} but step must be greater than 0`);
  const taken: Item[] = [];
  runtime.makeList(Math.max(0, Math.ceil((last - first) / stride)));
  for (let at = first; at < last; at += stride) {
    const item = items[Math.trunc(at)];
    if (item !== undefined) taken.push(item);
  }
  return taken;
}
