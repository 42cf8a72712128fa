import type { Arguments, Native } from './arguments.ts';
import { toText } from './numbers.ts';
import { isLess } from './operations.ts';
import { isTruthy, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

export const tableFunctions: Readonly<Record<string, Native>> = {
  concat(args) {
    const table = args.table(1);
    const separator = args.at(2) === undefined ? '' : args.text(2);
    const [from, to] = [args.integer(3, 1), args.integer(4, table.length)];
    const texts: string[] = [];
    for (let at = from; at <= to && at <= table.length; at += 1) {
      const value = table.get(at);
      const text = toText(value);
      if (text === undefined) throw args.state.fault(`invalid value (${typeName(value)}) at index ${at} in table for concat`);
      args.state.budget.step();
      args.state.budget.make(text.length + separator.length);
      texts.push(text);
    }
    return [texts.join(separator)];
  },
  getn: (args) => [args.table(1).length],
  insert(args) {
    const table = args.table(1);
    if (args.count < 2) throw args.state.fault('wrong number of arguments');
    if (args.count === 2) table.set(table.length + 1, args.at(2));
    else if (isAmong(args.integer(2), table.length)) table.insertItem(args.integer(2), args.at(3));
    else table.set(args.integer(2), args.at(3));
    return [];
  },
  maxn(args) {
    const table = args.table(1);
    let most = table.length;
    for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
      args.state.budget.step();
      if (typeof entry[0] === 'number') most = Math.max(most, entry[0]);
    }
    return [most];
  },
  remove(args) {
    const table = args.table(1);
    const at = args.integer(2, table.length);
    return [isAmong(at, table.length) ? table.removeItem(at) : undefined];
  },
  sort(args) {
    const table = args.table(1);
    table.replaceItems(sorted(args, table.items, comparison(args)));
    return [];
  },
};

function isAmong(place: number, length: number): boolean {
  return place >= 1 && place <= length;
}

function comparison(args: Arguments): (left: LuaValue, right: LuaValue) => boolean {
  if (args.at(2) === undefined) return (left, right) => isLess(args.state, left, right);
  const before = args.function(2);
  return (left, right) => isTruthy(before.call([left, right])[0]);
}

/** A merge sort of our own: it stands a comparison that contradicts itself, and pays for each. */
function sorted(args: Arguments, items: readonly LuaValue[], isBefore: (left: LuaValue, right: LuaValue) => boolean): LuaValue[] {
  args.state.budget.step();
  if (items.length < 2) return [...items];
  const middle = items.length >> 1;
  const left = sorted(args, items.slice(0, middle), isBefore);
  const right = sorted(args, items.slice(middle), isBefore);
  const merged: LuaValue[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    args.state.budget.step();
    merged.push(isBefore(right[r], left[l]) ? right[r++] : left[l++]);
  }
  return [...merged, ...left.slice(l), ...right.slice(r)];
}
