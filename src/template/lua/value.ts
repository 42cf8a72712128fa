import { fromBytes, toBytes } from '../go/bytes.ts';
import type { LuaTable } from './table.ts';

/**
 * Values as Lua sees them; undefined is nil. Texts of Lua are bytes: here each character of a string is one byte, from 0 to 255, and
 * `toLuaText` and `fromLuaText` stand where texts come in and leave.
 */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;

/** What a function takes and gives is a list: there may be any number of both. */
export type LuaCall = (args: readonly LuaValue[]) => readonly LuaValue[];

export class LuaFunction {
  /** As refusals of its arguments name it. */
  readonly name: string;
  readonly call: LuaCall;

  constructor(name: string, call: LuaCall) {
    this.name = name;
    this.call = call;
  }
}

/** What `error` throws and `pcall` catches; any value may be thrown. */
export class LuaError extends Error {
  readonly value: LuaValue;

  constructor(value: LuaValue) {
    super(typeof value === 'string' ? fromLuaText(value) : 'an error that is no text');
    this.value = value;
  }
}

const ASCII = /^[\0-\x7f]*$/;

export function toLuaText(text: string): string {
  return ASCII.test(text) ? text : toBytes(text).toString('latin1');
}

export function fromLuaText(text: string): string {
  return ASCII.test(text) ? text : fromBytes(Buffer.from(text, 'latin1')).toWellFormed();
}

/** As `type` names it. */
export function typeName(value: LuaValue): string {
  switch (typeof value) {
    case 'undefined':
      return 'nil';
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value;
    default:
      return value instanceof LuaFunction ? 'function' : 'table';
  }
}

/** All but nil and false. */
export function isTruthy(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}
