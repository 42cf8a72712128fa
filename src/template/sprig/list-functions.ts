import { define, GoError } from '../go/go-function.ts';
import { compareTexts, GoList, strings } from '../go/value.ts';
import type { GoAny, GoFunction, GoInt } from '../go/value.ts';
import { isDeepEqual, isUnset, itemsOf, NIL_POINTER, kindName, toInteger, toText, toTexts } from './convert.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

/** What an item costs, in characters. */
const ITEM_SIZE = 8;

/** Most exist twice: what fails in one panics in the other, which is the same to a template. */
export function listFunctions({ budget }: FunctionContext): NamedFunctions {
  const made = (items: GoAny[]): GoList => {
    budget.make(items.length * ITEM_SIZE);
    return new GoList(items);
  };
  const makeList = define('...any', (...items: GoAny[]) => made([...items]));
  return [
    ['list', makeList],
    ['tuple', makeList],
    ...twice(
      'append',
      define('any, any', (list: GoAny, value: GoAny) => made([...itemsOf(list, 'Cannot push on type %s'), value])),
    ),
    ...twice(
      'push',
      define('any, any', (list: GoAny, value: GoAny) => made([...itemsOf(list, 'Cannot push on type %s'), value])),
    ),
    ...twice(
      'prepend',
      define('any, any', (list: GoAny, value: GoAny) => made([value, ...itemsOf(list, 'Cannot prepend on type %s')])),
    ),
    ...twice(
      'first',
      define('any', (list: GoAny) => itemsOf(list, 'Cannot find first on type %s')[0] ?? null),
    ),
    ...twice(
      'last',
      define('any', (list: GoAny) => itemsOf(list, 'Cannot find last on type %s').at(-1) ?? null),
    ),
    ...twice(
      'rest',
      define('any', (list: GoAny) => part(itemsOf(list, 'Cannot find rest on type %s'), 1)),
    ),
    ...twice(
      'initial',
      define('any', (list: GoAny) => part(itemsOf(list, 'Cannot find initial on type %s'), 0, -1)),
    ),
    ...twice(
      'reverse',
      define('any', (list: GoAny) => made(itemsOf(list, 'Cannot find reverse on type %s').toReversed())),
    ),
    ...twice(
      'compact',
      define('any', (list: GoAny) => made(itemsOf(list, 'Cannot compact on type %s').filter((item) => !isUnset(item)))),
    ),
    ...twice(
      'uniq',
      define('any', (list: GoAny) => made(unique(itemsOf(list, 'Cannot find uniq on type %s'), budget.step))),
    ),
    ...twice(
      'without',
      define('any, ...any', (list: GoAny, ...others: GoAny[]) =>
        made(itemsOf(list, 'Cannot find without on type %s').filter((item) => !holds(others, item, budget.step))),
      ),
    ),
    ...twice(
      'has',
      define(
        'any, any',
        (wanted: GoAny, list: GoAny) => list !== null && holds(itemsOf(list, 'Cannot find has on type %s'), wanted, budget.step),
      ),
    ),
    ...twice('slice', define('any, ...any', slice)),
    ...twice(
      'chunk',
      define('int, any', (size: GoInt, list: GoAny) => chunk(itemsOf(list, 'Cannot chunk type %s'), Number(size.value))),
    ),
    ['concat', define('...any', (...lists: GoAny[]) => made(lists.flatMap((list) => itemsOf(list, 'Cannot concat type %s as list'))))],
    ['sortAlpha', define('any', sortTexts)],
    ['all', define('...any', (...values: GoAny[]) => values.every((value) => !isUnset(value)))],
    ['any', define('...any', (...values: GoAny[]) => values.some((value) => !isUnset(value)))],
    ['coalesce', define('...any', (...values: GoAny[]) => values.find((value) => !isUnset(value)) ?? null)],
    [
      'default',
      define('any, ...any', (otherwise: GoAny, ...given: GoAny[]) => (isUnset(given[0] ?? null) ? otherwise : (given[0] ?? null))),
    ],
    ['empty', define('any', isUnset)],
    ['ternary', define('any, any, bool', (yes: GoAny, no: GoAny, condition: boolean) => (condition ? yes : no))],
  ];
}

function twice(name: string, made: GoFunction): NamedFunctions {
  return [
    [name, made],
    [`must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, made],
  ];
}

function part(items: readonly GoAny[], start: number, end?: number): GoList {
  return items.length === 0 ? new GoList([], 'interface {}', true) : new GoList(items.slice(start, end));
}

type Step = (count?: number) => void;

function holds(items: readonly GoAny[], wanted: GoAny, step: Step): boolean {
  step(items.length);
  return items.some((item) => isDeepEqual(wanted, item, step));
}

function unique(items: readonly GoAny[], step: Step): GoAny[] {
  const kept: GoAny[] = [];
  for (const item of items) if (!holds(kept, item, step)) kept.push(item);
  return kept;
}

function slice(list: GoAny, ...indexes: GoAny[]): GoList | null {
  if (list === null) throw new GoError(NIL_POINTER);
  if (!(list instanceof GoList)) throw new GoError(`list should be type of slice or array but ${kindName(list)}`);
  if (list.items.length === 0) return null;
  const start = Number(toInteger(indexes[0] ?? null));
  const end = indexes.length < 2 ? list.items.length : Number(toInteger(indexes[1] ?? null));
  if (start < 0 || end < start || end > list.items.length) throw new GoError('reflect.Value.Slice: slice index out of bounds');
  return new GoList(list.items.slice(start, end), list.element);
}

function chunk(items: readonly GoAny[], size: number): GoList {
  if (size <= 0) throw new GoError('runtime error: makeslice: len out of range');
  const chunks: GoAny[] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(new GoList(items.slice(at, at + size)));
  return new GoList(chunks, '[]interface {}');
}

function sortTexts(value: GoAny): GoList {
  return value instanceof GoList ? strings(toTexts(value).sort(compareTexts)) : strings([toText(value)]);
}
