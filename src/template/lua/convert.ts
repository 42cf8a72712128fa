import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import { fromLuaText, toLuaText, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

/** How deep values may be that come in or leave. */
const DEPTH_MAX = 200;

/** A value from outside: lists and objects become tables, null is nil. */
export function toLua(state: LuaState, value: JsonValue, depth = 0): LuaValue {
  if (depth > DEPTH_MAX) throw new LimitError(`more than ${DEPTH_MAX} levels deep`);
  if (value === null) return undefined;
  if (typeof value === 'string') return toLuaText(value);
  if (isJsonArray(value)) {
    const table = state.table();
    table.appendFrom(
      1,
      value.map((item) => toLua(state, item, depth + 1)),
    );
    return table;
  }
  if (!isJsonObject(value)) return value;
  const table = state.table();
  for (const name of Object.keys(value)) table.set(toLuaText(name), toLua(state, value[name] ?? null, depth + 1));
  return table;
}

/**
 * What a script gives, as JSON: a table is a list or an object by its first key, and an empty one a list. Throws a TemplateError where it is
 * neither.
 */
export function fromLua(state: LuaState, value: LuaValue, around: readonly LuaTable[] = []): JsonValue {
  if (value === undefined) return null;
  if (typeof value === 'string') {
    state.budget.make(value.length);
    return fromLuaText(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TemplateError(`json: unsupported value: ${String(value)}`);
    return value;
  }
  if (typeof value === 'boolean') return value;
  if (!(value instanceof LuaTable)) throw new TemplateError(`cannot encode ${typeName(value)} to JSON`);
  if (around.includes(value)) throw new TemplateError('cannot encode recursively nested tables to JSON');
  if (around.length > DEPTH_MAX) throw new LimitError(`more than ${DEPTH_MAX} levels deep`);
  const inner = [...around, value];
  const first = value.next(undefined)?.[0];
  if (first === undefined) return [];
  return typeof first === 'string' ? fromEntries(state, value, inner) : fromItems(state, value, inner);
}

function fromItems(state: LuaState, table: LuaTable, around: readonly LuaTable[]): JsonValue {
  const items: JsonValue[] = [];
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    state.budget.step();
    if (typeof entry[0] !== 'number') throw new TemplateError('cannot encode mixed or invalid key types');
    if (entry[0] !== items.length + 1) throw new TemplateError('cannot encode sparse array');
    items.push(fromLua(state, entry[1], around));
  }
  return items;
}

function fromEntries(state: LuaState, table: LuaTable, around: readonly LuaTable[]): JsonObject {
  // Names come from outside: one of them may be `__proto__`.
  const entries: [string, JsonValue][] = [];
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    state.budget.step();
    if (typeof entry[0] !== 'string') throw new TemplateError('cannot encode mixed or invalid key types');
    entries.push([fromLuaText(entry[0]), fromLua(state, entry[1], around)]);
  }
  return Object.fromEntries(entries);
}
