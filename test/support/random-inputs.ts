import { isJsonArray, isJsonObject } from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, ObjectMeta, Schema } from '../../src/objects/index.ts';
import { randomEdit } from './random-objects.ts';
import type { Random } from './random-objects.ts';

// Inputs as clients send them, many of them wrong.

/** A strategic merge patch as an editor might make it: part of a changed object, with directives at random, not all of them sensible. */
export function randomStrategicPatch(random: Random, original: JsonObject, schema: Schema): JsonObject {
  return withDirectives(random, randomEdit(random, original, schema), { schema, fixed: undefined });
}

interface Place {
  readonly schema: Schema;
  /** A field that must stay. */
  readonly fixed: string | undefined;
}

function withDirectives(random: Random, object: JsonObject, { schema, fixed }: Place): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === fixed) return [[key, value]];
    if (random.chance(0.2)) return random.chance(0.3) ? [[key, null]] : [];
    const child = schema.properties?.get(key) ?? {};
    if (isJsonObject(value)) return [[key, withDirectives(random, value, { schema: child, fixed: undefined })]];
    return isJsonArray(value) ? listWithDirectives(random, key, value, child) : [[key, value]];
  });
  if (random.chance(0.01)) entries.push(['$patch', random.pick(['replace', 'delete', 'merge', 'other'])]);
  if (random.chance(0.04)) {
    const names = entries.map(([key]) => key).filter(() => !random.chance(0.03));
    entries.push(['$retainKeys', random.chance(0.95) ? names : 'x']);
  }
  return Object.fromEntries(entries);
}

function listWithDirectives(random: Random, key: string, list: readonly JsonValue[], schema: Schema): [string, JsonValue][] {
  const { patchMergeKey: mergeKey = 'name', items = {} } = schema;
  const keyOf = (element: JsonObject): JsonObject => ({ [mergeKey]: element[mergeKey] ?? null });
  const elements: JsonValue[] = list.map((element) => {
    if (!isJsonObject(element)) return element;
    if (random.chance(0.15)) return { ...keyOf(element), $patch: 'delete' };
    return random.chance(0.01) ? {} : withDirectives(random, element, { schema: items, fixed: mergeKey });
  });
  if (random.chance(0.04) && list.every(isJsonObject)) elements.push({ $patch: random.pick(['replace', 'merge', 'delete']) });
  const fullOrder = list.map((element) => (isJsonObject(element) ? keyOf(element) : element));
  const order = random.chance(0.85) ? fullOrder : fullOrder.toReversed().slice(1);
  const ordered: [string, JsonValue][] = random.chance(0.3) ? [[`$setElementOrder${random.chance(0.98) ? '/' : ''}${key}`, order]] : [];
  // With removals and additions in one patch, Kubernetes lets chance decide which come first.
  if (!list.some(isJsonObject) && random.chance(0.3)) return [[`$deleteFromPrimitiveList/${key}`, list.slice(0, 2)], ...ordered];
  return [[key, elements], ...ordered];
}

/** A few operations on places that an object has, or nearly has. */
export function randomJsonPatch(random: Random, object: JsonObject): JsonValue {
  const paths = [...listPaths(object, '')];
  const path = (): string => {
    const found = random.pick(['', ...paths]);
    const [changed, parent] = [random.chance(0.3), found.slice(0, Math.max(found.lastIndexOf('/'), 0))];
    return changed
      ? `${random.chance(0.5) ? parent : found}/${random.pick(['new', '-', '0', '1', '-1', '9', '+1', 'a~1b', '~01', 'x y', ''])}`
      : found;
  };
  const value = (): JsonValue => random.pick([1, 'x', true, null, {}, { a: null, b: [1] }, [], [{ a: 1 }]]);
  return Array.from({ length: 1 + random.below(4) }, (): JsonObject => {
    const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'add', 'replace', 'other']);
    const at = path();
    const given = op === 'test' && random.chance(0.7) ? (valueAt(object, at) ?? null) : value();
    return { op, path: at, ...((op === 'move' || op === 'copy') && { from: path() }), ...(random.chance(0.95) && { value: given }) };
  });
}

function* listPaths(value: JsonValue, path: string): Generator<string> {
  const members = isJsonArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, member] of members) {
    const here = `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    yield here;
    yield* listPaths(member, here);
  }
}

function valueAt(document: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = document;
  for (const token of path.split('/').slice(1)) {
    const here: JsonValue | undefined = found;
    found = isJsonArray(here) ? here[Number(token)] : isJsonObject(here) && Object.hasOwn(here, token) ? here[token] : undefined;
  }
  return found;
}

const LABEL_KEYS = ['app', 'tier', 'example.com/part', 'in', 'notin', 'constructor'];
const LABEL_VALUES = ['web', 'db', '', '1', '22', 'a.b', 'in'];

export function randomLabels(random: Random): Record<string, string> {
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(LABEL_KEYS), random.pick(LABEL_VALUES)]));
}

export function randomLabelSelectorText(random: Random): string {
  if (random.chance(0.2)) {
    const pieces = ['a', 'b', 'in', 'notin', '(', ')', ',', '=', '==', '!=', '!', '>', '<', ' ', 'x/y', '-', '7'];
    return Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
  }
  const key = () => (random.chance(0.03) ? random.pick(['-a', 'A/b/c', 'x/', '/y', 'ä', 'A/b']) : random.pick(LABEL_KEYS));
  const value = () => (random.chance(0.03) ? random.pick(['-a', 'ä', 'b-', 'v'.repeat(64)]) : random.pick(LABEL_VALUES));
  const space = () => random.pick(['', '', ' ', '\t']);
  const values = () => Array.from({ length: random.below(4) }, value).join(`${space()},${space()}`);
  const terms = Array.from({ length: random.below(4) }, () =>
    random.pick([
      () => `${key()}${space()}${random.pick(['=', '==', '!='])}${space()}${value()}`,
      () => `${key()} ${random.pick(['in', 'notin'])} (${space()}${values()}${space()})`,
      () => `!${space()}${key()}`,
      () => key(),
      () => `${key()}${random.pick(['>', '<'])}${random.pick(['1', '5', 'x', '', '99999999999999999999'])}`,
    ])(),
  );
  return terms.join(`${space()},${space()}`);
}

/** A selector as objects have it; null where the object has none. */
export function randomLabelSelectorObject(random: Random): JsonValue {
  if (random.chance(0.05)) return null;
  const expressions = Array.from({ length: random.below(3) }, () => {
    const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'In', 'Like']);
    const hasValues = random.chance(0.05) !== operator.endsWith('In');
    return { key: random.pick([...LABEL_KEYS, '-a']), operator, values: hasValues ? [...new Set([random.pick(LABEL_VALUES), 'x'])] : [] };
  });
  // Of several wrong labels Kubernetes names any.
  const labels = Object.fromEntries(Object.entries(randomLabels(random)).slice(0, 1));
  return { matchLabels: labels, matchExpressions: expressions };
}

export function randomFieldSelector(random: Random): string {
  const pieces = ['app', 'tier', 'metadata.name', '=', '==', '!=', ',', ',', '\\,', '\\=', '\\\\', '\\', 'é', 'web', ' '];
  if (random.chance(0.3)) return Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
  const term = () => `${random.pick(LABEL_KEYS)}${random.pick(['=', '==', '!='])}${random.pick(LABEL_VALUES)}`;
  return Array.from({ length: random.below(4) }, term).join(',');
}

export function randomQuantity(random: Random): string {
  const digits = () =>
    Array.from({ length: random.below(random.chance(0.1) ? 25 : 6) }, () => random.pick(['0', '0', '0', 1, 2, 3, 4, 5, 6, 7, 8, 9])).join(
      '',
    );
  const number = `${random.pick(['', '', '', '-', '+'])}${digits()}${random.chance(0.4) ? `.${digits()}` : ''}`;
  const suffixes = [
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'e3',
    'E3',
    'e-3',
    'e+2',
    'e1',
    'e19',
    'e-12',
  ];
  const wrong = ['x', 'ki', 'K', 'mi', 'e', 'i', '..', 'e-', '-', ' ', 'e99999999999999999999'];
  return `${number}${random.pick(random.chance(0.1) ? wrong : suffixes)}`;
}

export function randomName(random: Random): string {
  const known = [
    '',
    'a',
    'my-name',
    'a.b.c',
    'A',
    '-a',
    'a-',
    'a..b',
    '1a',
    'a_b',
    'example.com/a',
    '/',
    'a/',
    '/a',
    'a/b/c',
    '.',
    '..',
    'a%b',
    'é',
  ];
  const long = `${'x'.repeat(random.pick([62, 63, 64]))}${random.chance(0.5) ? `.${'y'.repeat(random.pick([180, 189, 190, 250]))}` : ''}`;
  return random.chance(0.2) ? long : random.pick(known) + (random.chance(0.3) ? random.pick(known) : '');
}

export function randomMetadata(random: Random): ObjectMeta & JsonObject {
  const some = <Value>(probability: number, value: () => Value) => (random.chance(probability) ? value() : undefined);
  const map = () => Object.fromEntries(Array.from({ length: random.below(3) }, () => [randomName(random), randomName(random)]));
  const owner = () => ({
    apiVersion: random.pick(['v1', 'apps/v1', '', 'a/b/c', 'x/']),
    kind: random.pick(['Event', 'Pod', '']),
    name: random.pick(['', 'a']),
    uid: random.pick(['', 'u']),
    ...(random.chance(0.5) && { controller: random.chance(0.8) }),
  });
  const metadata = {
    name: some(0.9, () => randomName(random)),
    generateName: some(0.3, () => random.pick(['a-', 'A-', '-', 'a', 'a.-'])),
    namespace: some(0.6, () => randomName(random)),
    generation: some(0.2, () => random.below(3) - 1),
    labels: some(0.6, map),
    annotations: random.chance(0.02) ? { big: 'x'.repeat(256 * 1024) } : some(0.6, map),
    ownerReferences: some(0.5, () => Array.from({ length: random.below(3) }, owner)),
    finalizers: some(0.5, () =>
      Array.from({ length: random.below(3) }, () => random.pick(['orphan', 'foregroundDeletion', 'a b', 'example.com/x'])),
    ),
  };
  return JSON.parse(JSON.stringify(metadata)) as ObjectMeta & JsonObject;
}
