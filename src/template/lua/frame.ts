import type { LuaState } from './state.ts';
import type { LuaTable } from './table.ts';
import type { LuaValue } from './value.ts';

/** A variable that a closure shares with the function around it. */
export interface Cell {
  value: LuaValue;
}

/** One running call of a function. A variable is in `locals`, or in `cells` where inner functions use it. */
export interface Frame {
  readonly state: LuaState;
  readonly locals: LuaValue[];
  readonly cells: Cell[];
  /** Variables of the functions around this one. */
  readonly captured: readonly Cell[];
  readonly varargs: readonly LuaValue[];
  /** Where the function looks for globals; another after `setfenv`. */
  readonly environment: Environment;
}

/** Of one closure, which may be given another table for its globals. */
export interface Environment {
  globals: LuaTable;
}
