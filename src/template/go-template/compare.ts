import { formatValue, formatVerb } from '../go/format-value.ts';
import { GoError } from '../go/go-function.ts';
import { compareTexts, GoInt, GoList, GoMap, kindOf, plain, typeOf } from '../go/value.ts';
import type { GoSlot, GoValue } from '../go/value.ts';

const BASIC_KINDS: readonly string[] = ['bool', 'int', 'uint', 'float64', 'string'];

/** `eq`: whether the first is equal to any of the others. */
export function isEqual(first: GoSlot, others: readonly GoSlot[]): boolean {
  const left = plain(first);
  if (others.length === 0) throw new GoError('missing argument for comparison');
  return others.some((other) => isPairEqual(left, plain(other)));
}

function isPairEqual(left: GoValue | undefined, right: GoValue | undefined): boolean {
  const [leftKind, rightKind] = [basicKind(left), basicKind(right)];
  if (left instanceof GoInt && right instanceof GoInt) return left.value === right.value;
  if (leftKind !== rightKind) {
    if (left !== undefined && right !== undefined)
      throw new GoError(`incompatible types for comparison: ${typeOf(left)} and ${typeOf(right)}`);
    return false;
  }
  if (leftKind !== undefined) return left === right;
  return isOtherEqual(left, right);
}

/** Values that are neither numbers nor texts: nil, maps, lists. */
function isOtherEqual(left: GoValue | undefined, right: GoValue | undefined): boolean {
  if (left !== undefined && right !== undefined && kindOf(left) !== kindOf(right))
    throw new GoError(`non-comparable types ${formatVerb(left, 's', {})}: ${typeOf(left)}, ${typeOf(right)}: ${formatValue(right)}`);
  const [leftNil, rightNil] = [isNil(left), isNil(right)];
  if (leftNil || rightNil) return leftNil === rightNil;
  if (right instanceof GoList || right instanceof GoMap)
    throw new GoError(`non-comparable type ${formatVerb(right, 's', {})}: ${typeOf(right)}`);
  return left === right;
}

function isNil(value: GoValue | undefined): boolean {
  return value === undefined || ((value instanceof GoList || value instanceof GoMap) && value.isNil);
}

/** `lt`. */
export function isLess(first: GoSlot, second: GoSlot): boolean {
  const [left, right] = [plain(first), plain(second)];
  const [leftKind, rightKind] = [basicKind(left), basicKind(right)];
  if (leftKind === undefined || rightKind === undefined) throw new GoError('invalid type for comparison');
  if (left instanceof GoInt && right instanceof GoInt) return left.value < right.value;
  if (leftKind !== rightKind) throw new GoError(`incompatible types for comparison: ${typeOf(left)} and ${typeOf(right)}`);
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right) < 0;
  throw new GoError('invalid type for comparison');
}

export function isLessOrEqual(first: GoSlot, second: GoSlot): boolean {
  return isLess(first, second) || isEqual(first, [second]);
}

function basicKind(value: GoValue | undefined): string | undefined {
  const kind = kindOf(value);
  return BASIC_KINDS.includes(kind) ? kind : undefined;
}
