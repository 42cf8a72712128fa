import { byteLength, sliceBytes, toBytes } from '../go/bytes.ts';
import { sprint, sprintln } from '../go/format-value.ts';
import { define, GoError } from '../go/go-function.ts';
import { sprintf } from '../go/printf.ts';
import { isPrint } from '../go/quote.ts';
import { Boxed, boxFor, GoFunction, GoInt, GoList, GoMap, int, isTrue, plain, typeOf, unbox, zeroOf } from '../go/value.ts';
import type { GoAny, GoSlot } from '../go/value.ts';
import type { Budget } from '../budget.ts';
import { isEqual, isLess, isLessOrEqual } from './compare.ts';

/** The functions of Go's templates themselves. `and` and `or` are known to the evaluator, which does not evaluate what it need not. */
export function createBuiltins(budget: Budget): ReadonlyMap<string, GoFunction> {
  const measured = (text: string): string => {
    budget.make(text.length);
    return text;
  };
  return new Map<string, GoFunction>([
    ['and', define('value, ...value', () => undefined)],
    ['or', define('value, ...value', () => undefined)],
    ['not', define('value', (value: GoSlot) => !isTrue(value))],
    ['call', define('value, ...value', callFunction)],
    ['index', define('value, ...value', index)],
    ['slice', define('value, ...value', slice)],
    ['len', define('value', length)],
    ['eq', define('value, ...value', (first: GoSlot, ...others: GoSlot[]) => isEqual(first, others))],
    ['ne', define('value, value', (first: GoSlot, second: GoSlot) => !isEqual(first, [second]))],
    ['lt', define('value, value', (first: GoSlot, second: GoSlot) => isLess(first, second))],
    ['le', define('value, value', (first: GoSlot, second: GoSlot) => isLessOrEqual(first, second))],
    ['gt', define('value, value', (first: GoSlot, second: GoSlot) => !isLessOrEqual(first, second))],
    ['ge', define('value, value', (first: GoSlot, second: GoSlot) => !isLess(first, second))],
    ['print', define('...any', (...values: GoAny[]) => measured(sprint(values)))],
    ['printf', define('string, ...any', (format: string, ...values: GoAny[]) => measured(sprintf(format, values)))],
    ['println', define('...any', (...values: GoAny[]) => measured(sprintln(values)))],
    ['html', define('...any', (...values: GoAny[]) => measured(escapeHtml(joinArguments(values))))],
    ['js', define('...any', (...values: GoAny[]) => measured(escapeJs(joinArguments(values))))],
    ['urlquery', define('...any', (...values: GoAny[]) => measured(escapeQuery(joinArguments(values))))],
  ]);
}

/** As `url.QueryEscape`. */
export function escapeQuery(text: string): string {
  let escaped = '';
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character)) escaped += character;
    else escaped += character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

function callFunction(name: string, target: GoSlot, ...args: GoSlot[]): GoSlot | null {
  const callee = plain(target);
  if (callee === undefined) throw new GoError('call of nil');
  if (!(callee instanceof GoFunction)) throw new GoError(`non-function ${name} of type ${typeOf(callee)}`);
  const { parameters, variadic } = callee;
  if (variadic === undefined ? args.length !== parameters.length : args.length < parameters.length)
    throw new GoError(
      `wrong number of args for ${name}: got ${args.length} want ${variadic === undefined ? '' : 'at least '}${parameters.length}`,
    );
  return callee.call(args.map((arg, at) => prepare(arg, parameters[at] ?? variadic ?? 'value', at)));
}

function prepare(slot: GoSlot, type: string, at: number): GoSlot {
  const value = plain(slot);
  if (type === 'value') return slot;
  if (type === 'interface {}') return (value ?? null) as GoSlot;
  if (value === undefined) throw new GoError(`arg ${at}: value is nil; should be of type ${type}`);
  if (typeOf(value) === type) return value;
  if (value instanceof GoInt && /^u?int\d*$/.test(type)) return new GoInt(value.value, type);
  throw new GoError(`arg ${at}: value has type ${typeOf(value)}; should be ${type}`);
}

function index(first: GoSlot, ...indexes: GoSlot[]): GoSlot {
  let item: GoSlot = first;
  if (plain(item) === undefined) throw new GoError('index of untyped nil');
  for (const slot of indexes) {
    const value = unbox(item);
    const wanted = plain(slot);
    if (value === null || value === undefined) throw new GoError('index of nil pointer');
    if (value instanceof GoMap) {
      const key = mapKey(wanted);
      item = boxFor(value.element, value.entries.has(key) ? (value.entries.get(key) ?? null) : zeroOf(value.element));
    } else if (value instanceof GoList) {
      item = boxFor(value.element, value.items[place(wanted, value.items.length, 'slice')] ?? null);
    } else if (typeof value === 'string') {
      const bytes = toBytes(value);
      item = new GoInt(BigInt(bytes[place(wanted, bytes.length, 'string')] ?? 0), 'uint8');
    } else {
      throw new GoError(`can't index item of type ${typeOf(value)}`);
    }
  }
  return item;
}

function mapKey(wanted: GoAny | undefined): string {
  if (typeof wanted === 'string') return wanted;
  if (wanted === undefined || wanted === null) throw new GoError('value is nil; should be of type string');
  throw new GoError(`value has type ${typeOf(wanted)}; should be string`);
}

/** A place in a list of that length; where `inside` names what it is a place in, the end itself is none. */
function place(wanted: GoAny | undefined, length: number, inside?: 'slice' | 'string'): number {
  if (wanted === undefined || wanted === null) throw new GoError('cannot index slice/array with nil');
  if (!(wanted instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${typeOf(wanted)}`);
  if (wanted.value < 0n || wanted.value > BigInt(length)) throw new GoError(`index out of range: ${wanted.value}`);
  if (inside !== undefined && wanted.value === BigInt(length)) throw new GoError(`reflect: ${inside} index out of range`);
  return Number(wanted.value);
}

function slice(first: GoSlot, ...indexes: GoSlot[]): GoSlot {
  const item = plain(first);
  if (item === undefined) throw new GoError('slice of untyped nil');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  if (typeof item !== 'string' && !(item instanceof GoList)) throw new GoError(`can't slice item of type ${typeOf(item)}`);
  if (typeof item === 'string' && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  const size = typeof item === 'string' ? byteLength(item) : item.items.length;
  const [start = 0, end = size, limit] = indexes.map((slot) => place(plain(slot), size));
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (limit !== undefined && end > limit) throw new GoError(`invalid slice index: ${end} > ${limit}`);
  return typeof item === 'string' ? sliceBytes(item, start, end) : new GoList(item.items.slice(start, end), item.element);
}

function length(slot: GoSlot): GoSlot {
  const value = unbox(slot);
  if (slot instanceof Boxed && value === null) throw new GoError('len of nil pointer');
  if (typeof value === 'string') return int(byteLength(value));
  if (value instanceof GoList) return int(value.items.length);
  if (value instanceof GoMap) return int(value.entries.size);
  if (value === undefined || value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  throw new GoError(`len of type ${typeOf(value)}`);
}

function joinArguments(values: readonly GoAny[]): string {
  const [first] = values;
  if (values.length === 1 && typeof first === 'string') return first;
  return sprint(values.map((value) => value ?? '<no value>'));
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '\0': '\ufffd', '"': '&#34;', "'": '&#39;', '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replaceAll(/[\0"'&<>]/g, (mark) => names[mark] ?? mark);
}

function escapeJs(text: string): string {
  let escaped = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (/[\\'"]/.test(character)) escaped += `\\${character}`;
    else if (code < 0x20 || /[<>&=]/.test(character) || (code >= 0x80 && !isPrint(character)))
      escaped += `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
    else escaped += character;
  }
  return escaped;
}
