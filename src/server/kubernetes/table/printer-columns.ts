import { isJsonArray, isJsonObject } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { ageColumn, ageOf, listAt, nameColumn, numberAt, textAt } from './column.ts';
import type { Column } from './column.ts';

/** The columns that a CustomResourceDefinition gives a version of its kind. */
export function printerColumns(definition: JsonObject, version: string): readonly Column[] {
  const entry = listAt(definition, 'spec', 'versions').find((candidate) => textAt(candidate, 'name') === version);
  const columns = listAt(entry, 'additionalPrinterColumns').filter(isJsonObject);
  return columns.length === 0 ? [nameColumn, ageColumn] : [nameColumn, ...columns.map(printerColumn)];
}

function printerColumn(column: JsonObject): Column {
  const type = textAt(column, 'type');
  const path = parsePath(textAt(column, 'jsonPath'));
  return {
    name: textAt(column, 'name'),
    type,
    format: textAt(column, 'format'),
    description: textAt(column, 'description'),
    priority: numberAt(column, 'priority'),
    value: (object, nowMs) => (path === undefined ? undefined : cellOf(findAll(object, path), type, nowMs)),
  };
}

type Step =
  | { readonly field: string }
  | { readonly index: number }
  | { readonly filter: { readonly path: readonly Step[]; readonly value: string } }
  | 'all';

/** The part of JSONPath that printer columns are written in: fields, quoted fields, indexes, `[*]` and `[?(@.a=="b")]`. */
function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = text.trim().replace(/^\$/, '');
  while (rest !== '') {
    const found = PATTERNS.map(([pattern, make]) => ({ match: pattern.exec(rest), make })).find(({ match }) => match !== null);
    if (found?.match === undefined || found.match === null) return undefined;
    const step = found.make(found.match);
    if (step === undefined) return undefined;
    steps.push(step);
    rest = rest.slice(found.match[0].length);
  }
  return steps;
}

const PATTERNS: readonly (readonly [RegExp, (match: RegExpExecArray) => Step | undefined])[] = [
  [/^\.((?:[^.[\\]|\\.)+)/, ([, name = '']) => ({ field: name.replaceAll(/\\(.)/g, '$1') })],
  [/^\.?\[(\d+)\]/, ([, index = '']) => ({ index: Number(index) })],
  [/^\.?\[\*\]/, () => 'all'],
  [/^\.?\['([^']*)'\]/, ([, name = '']) => ({ field: name })],
  [/^\.?\["([^"]*)"\]/, ([, name = '']) => ({ field: name })],
  [
    /^\.?\[\?\(\s*@((?:\.[^=\s)]+)+)\s*==\s*(?:'([^']*)'|"([^"]*)")\s*\)\]/,
    ([, path = '', single, double]) => {
      const inner = parsePath(path);
      return inner && { filter: { path: inner, value: single ?? double ?? '' } };
    },
  ],
];

function findAll(value: JsonValue, path: readonly Step[]): readonly JsonValue[] {
  let found: readonly JsonValue[] = [value];
  for (const step of path) found = found.flatMap((item) => stepInto(item, step));
  return found;
}

function stepInto(value: JsonValue, step: Step): readonly JsonValue[] {
  if (step === 'all') return isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  if ('field' in step) return isJsonObject(value) && Object.hasOwn(value, step.field) ? [value[step.field] as JsonValue] : [];
  if (!isJsonArray(value)) return [];
  if ('index' in step) return value.slice(step.index, step.index + 1);
  return value.filter((item) => findAll(item, step.filter.path).some((candidate) => candidate === step.filter.value));
}

/** The first of several values; what is of another type than the column says is not shown. */
function cellOf([value]: readonly JsonValue[], type: string, nowMs: number): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (type === 'date') return ageOf(value, nowMs);
  if (type === 'integer') return Number.isInteger(value) ? value : undefined;
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
