import { compileRegexp } from '../../base/index.ts';
import { isJsonArray, isJsonObject, jsonEquals, type JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from '../template-error.ts';

/** The longest list that a range makes. */
const RANGE_MAX = 100_000;

/** An operator that needs both of its values. Throws TemplateError where they are of the wrong kind. */
export function applyOperator(operator: string, left: JsonValue, right: JsonValue, budget: Budget): JsonValue {
  switch (operator) {
    case 'in':
      return isIn(left, right);
    case 'matches':
      return compileRegexp(requireText(right), budget).find(Array.from(requireText(left)), 0) !== undefined;
    case 'contains':
      return requireText(left).includes(requireText(right));
    case 'startsWith':
      return requireText(left).startsWith(requireText(right));
    case 'endsWith':
      return requireText(left).endsWith(requireText(right));
    case '+':
      return typeof left === 'string' && typeof right === 'string' ? join(left, right, budget) : requireNumber(left) + requireNumber(right);
    case '..':
      return makeRange(requireNumber(left), requireNumber(right), budget);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return compare(operator, left, right);
    default:
      return calculate(operator, requireNumber(left), requireNumber(right));
  }
}

function isIn(value: JsonValue, place: JsonValue): boolean {
  if (isJsonArray(place)) return place.some((item) => jsonEquals(item, value));
  if (isJsonObject(place)) return typeof value === 'string' && Object.hasOwn(place, value);
  if (place === null) return false;
  throw new TemplateError('only lists and maps have something in them');
}

function join(left: string, right: string, budget: Budget): string {
  budget.make(left.length + right.length);
  return left + right;
}

function makeRange(from: number, to: number, budget: Budget): JsonValue {
  const length = Math.max(0, to - from + 1);
  if (!(length <= RANGE_MAX)) throw new TemplateError('the range is too long');
  budget.make(length);
  return Array.from({ length }, (_, index) => from + index);
}

function compare(operator: string, left: JsonValue, right: JsonValue): boolean {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const [own, other] = areTexts ? [left, right] : [requireNumber(left), requireNumber(right)];
  if (operator === '<') return own < other;
  if (operator === '>') return own > other;
  return operator === '<=' ? own <= other : own >= other;
}

function calculate(operator: string, left: number, right: number): number {
  switch (operator) {
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      if (right === 0) throw new TemplateError('integer divide by zero');
      return left % right;
    default:
      return left ** right;
  }
}

export function requireBoolean(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new TemplateError(`${describe(value)} is neither true nor false`);
}

export function requireNumber(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  throw new TemplateError(`${describe(value)} is no number`);
}

export function requireText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new TemplateError(`${describe(value)} is no text`);
}

/** Its kind and not the value, which may be nobody's to see. */
function describe(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'nil';
  return isJsonArray(value) ? 'a list' : isJsonObject(value) ? 'a map' : `a ${typeof value}`;
}
