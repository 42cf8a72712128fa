import { isJsonArray, isJsonObject, parseTime } from '../../../objects/index.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../objects/index.ts';
import { formatAge } from './format-age.ts';

/** A column of a table and how its cell comes from an object. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0: always shown; more: only in wide tables. */
  readonly priority?: number;
  readonly value: (object: JsonObject, nowMs: number) => JsonValue | undefined;
}

export const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', value: (object) => textAt(object, 'metadata', 'name') };
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  value: (object, nowMs) => ageOf(valueAt(object, 'metadata', 'creationTimestamp'), nowMs),
};
export const createdColumn: Column = {
  name: 'Created At',
  type: 'date',
  value: (object) => textAt(object, 'metadata', 'creationTimestamp'),
};

export function text(name: string, value: (object: JsonObject, nowMs: number) => string): Column {
  return { name, type: 'string', value };
}

export function integer(name: string, value: (object: JsonObject) => number): Column {
  return { name, type: 'integer', value };
}

/** A column of wide tables. */
export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

export function valueAt(object: JsonValue | undefined, ...path: readonly (string | number)[]): JsonValue | undefined {
  let value = object;
  for (const name of path) {
    if (typeof name === 'number') value = isJsonArray(value) ? value[name] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

export function textAt(object: JsonValue | undefined, ...path: readonly (string | number)[]): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : '';
}

export function numberAt(object: JsonValue | undefined, ...path: readonly (string | number)[]): number {
  const value = valueAt(object, ...path);
  return typeof value === 'number' ? value : 0;
}

export function listAt(object: JsonValue | undefined, ...path: readonly (string | number)[]): JsonArray {
  const value = valueAt(object, ...path);
  return isJsonArray(value) ? value : [];
}

export function objectAt(object: JsonValue | undefined, ...path: readonly (string | number)[]): JsonObject {
  const value = valueAt(object, ...path);
  return isJsonObject(value) ? value : {};
}

/** A value in a cell, whatever it is. */
export function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function orNone(value: string): string {
  return value === '' ? '<none>' : value;
}

export function ageOf(value: JsonValue | undefined, nowMs: number): string {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  return time === undefined ? '<unknown>' : formatAge(nowMs - time);
}

/** Labels as `a=b,c=d`, sorted. */
export function labelsText(labels: JsonObject): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${shown(value)}`)
    .sort()
    .join(',');
}
