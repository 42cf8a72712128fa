import type { Frame } from './frame.ts';
import type { Variable } from './node.ts';
import type { LuaValue } from './value.ts';

/** Gives a variable its first value: a cell of its own, where inner functions use it. */
export function declare({ slot, isCaptured }: Variable): (frame: Frame, value: LuaValue) => void {
  if (isCaptured)
    return ({ cells }, value) => {
      cells[slot] = { value };
    };
  return ({ locals }, value) => {
    locals[slot] = value;
  };
}

/** Gives a variable that there is another value. */
export function store({ slot, isCaptured }: Variable, { locals, cells }: Frame, value: LuaValue): void {
  const cell = cells[slot];
  if (isCaptured && cell !== undefined) cell.value = value;
  else locals[slot] = value;
}
