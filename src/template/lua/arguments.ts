import { formatNumber, parseNumber } from './numbers.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import { LuaFunction, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

/** What a function of a library was given, and how it refuses what it cannot take. Places count from 1. */
export class Arguments {
  readonly state: LuaState;
  readonly values: readonly LuaValue[];
  readonly #name: string;

  constructor(state: LuaState, name: string, values: readonly LuaValue[]) {
    this.state = state;
    this.#name = name;
    this.values = values;
  }

  get count(): number {
    return this.values.length;
  }

  at(place: number): LuaValue {
    return this.values[place - 1];
  }

  /** Any value, but there must be one, if only nil. */
  any(place: number): LuaValue {
    if (place > this.values.length) throw this.refuse(place, 'value expected');
    return this.at(place);
  }

  text(place: number): string {
    const value = this.at(place);
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return formatNumber(value);
    throw this.refuse(place, `string expected, got ${typeName(value)}`);
  }

  number(place: number): number {
    const value = this.at(place);
    if (typeof value === 'number') return value;
    const number = typeof value === 'string' ? parseNumber(value) : undefined;
    if (number !== undefined) return number;
    throw this.refuse(place, `number expected, got ${typeName(value)}`);
  }

  /** A whole number; what follows its point is cut off. */
  integer(place: number, otherwise?: number): number {
    const value = this.at(place);
    if (value === undefined && otherwise !== undefined) return otherwise;
    if (typeof value === 'number') return Math.trunc(value) || 0;
    throw this.refuse(place, `number expected, got ${typeName(value)}`);
  }

  table(place: number): LuaTable {
    const value = this.at(place);
    if (value instanceof LuaTable) return value;
    throw this.refuse(place, `table expected, got ${typeName(value)}`);
  }

  function(place: number): LuaFunction {
    const value = this.at(place);
    if (value instanceof LuaFunction) return value;
    throw this.refuse(place, `function expected, got ${typeName(value)}`);
  }

  refuse(place: number, reason: string): Error {
    return this.state.fault(`bad argument #${place} to ${this.#name} (${reason})`);
  }
}

export type Native = (args: Arguments) => readonly LuaValue[];

/** Functions of a library in a table. */
export function defineLibrary(state: LuaState, table: LuaTable, functions: Readonly<Record<string, Native>>): LuaTable {
  for (const [name, native] of Object.entries(functions))
    table.set(name, new LuaFunction(name, (values) => native(new Arguments(state, name, values))));
  return table;
}
