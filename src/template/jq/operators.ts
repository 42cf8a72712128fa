import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { compareValues, describe, fieldOf, fromFields, JqError } from './values.ts';
import { spendOnce, spendOnSearch } from './weights.ts';

/** `left operator right`. */
export function calculate(operator: string, left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  switch (operator) {
    case '==':
      return compareValues(left, right, budget) === 0;
    case '!=':
      return compareValues(left, right, budget) !== 0;
    case '<':
      return compareValues(left, right, budget) < 0;
    case '<=':
      return compareValues(left, right, budget) <= 0;
    case '>':
      return compareValues(left, right, budget) > 0;
    case '>=':
      return compareValues(left, right, budget) >= 0;
    default:
      spendOnce(left, budget);
      spendOnce(right, budget);
      return combine(operator, left, right, budget);
  }
}

function combine(operator: string, left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  switch (operator) {
    case '+':
      return add(left, right, budget);
    case '-':
      return subtract(left, right, budget);
    case '*':
      return multiply(left, right, budget);
    case '/':
      return divide(left, right, budget);
    default:
      return remainder(left, right);
  }
}

function add(left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  if (left === null) return right;
  if (right === null) return left;
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') {
    budget.make(left.length + right.length);
    return left + right;
  }
  if (isJsonArray(left) && isJsonArray(right)) {
    budget.make(left.length + right.length);
    return [...left, ...right];
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const fields = [...Object.entries(left), ...Object.entries(right)];
    budget.make(fields.length);
    return fromFields(fields);
  }
  throw new JqError(`cannot add: ${describe(left)} and ${describe(right)}`);
}

function subtract(left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (isJsonArray(left) && isJsonArray(right)) {
    budget.make(left.length);
    return left.filter((item) => !right.some((other) => compareValues(item, other, budget) === 0));
  }
  throw new JqError(`cannot subtract: ${describe(left)} and ${describe(right)}`);
}

function multiply(left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  if (isJsonObject(left) && isJsonObject(right)) return merge(left, right, budget);
  const [text, count] = typeof left === 'string' ? [left, right] : [right, left];
  if (typeof text !== 'string' || typeof count !== 'number') throw new JqError(`cannot multiply: ${describe(left)} and ${describe(right)}`);
  if (count <= 0 || Number.isNaN(count)) return count < 0 || Number.isNaN(count) ? null : text === '' ? '' : null;
  const times = Math.max(1, Math.floor(count));
  budget.make(text.length * times);
  return text.repeat(times);
}

function merge(left: JsonObject, right: JsonObject, budget: Budget): JsonObject {
  spendOnce(left, budget);
  spendOnce(right, budget);
  const entries = new Map<string, JsonValue>(Object.entries(left));
  for (const [key, value] of Object.entries(right)) {
    const own = fieldOf(left, key);
    entries.set(key, isJsonObject(own) && isJsonObject(value) ? merge(own, value, budget) : value);
  }
  budget.make(entries.size);
  return fromFields(entries);
}

function divide(left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) throw new JqError(`cannot divide ${describe(left)} by: ${describe(right)}`);
    return left / right;
  }
  if (typeof left === 'string' && typeof right === 'string') {
    spendOnSearch(left, right, budget);
    const parts = left === '' ? [] : right === '' ? Array.from(left) : left.split(right);
    budget.make(parts.length);
    return parts;
  }
  throw new JqError(`cannot divide: ${describe(left)} and ${describe(right)}`);
}

function remainder(left: JsonValue, right: JsonValue): JsonValue {
  if (typeof left !== 'number' || typeof right !== 'number') throw new JqError(`cannot modulo: ${describe(left)} and ${describe(right)}`);
  const by = Math.abs(Math.trunc(right));
  if (by === 0) throw new JqError(`cannot modulo ${describe(left)} by: ${describe(right)}`);
  return (Math.trunc(left) % by) + 0;
}
