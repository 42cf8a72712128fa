import { BadValue } from './parsing/bad-value.ts';
import { freezeDeep, keepIdentity } from './same-value.ts';
import { nameInFamily, type Setting, type SettingFamily, type SettingTable, type SettingValues } from './setting-table.ts';

/** Something about a key that people should look at. */
export interface SettingWarning {
  /** The ConfigMap or Secret. */
  readonly object: string;
  readonly key: string;
  readonly reason: string;
}

/** What was made of one key, kept so that a key that did not change is not parsed again. */
interface Line {
  readonly text: string;
  /** The last good value; undefined when there never was one. */
  readonly good: { readonly value: unknown } | undefined;
  readonly reasons: readonly string[];
}

export interface TableReading<Table extends SettingTable> {
  readonly values: SettingValues<Table>;
  readonly warnings: readonly SettingWarning[];
  /** By key. Texts of Secrets are in here: this stays inside the room. */
  readonly lines: ReadonlyMap<string, Line>;
}

export interface ReadTableOptions<Table extends SettingTable> {
  readonly table: Table;
  readonly object: string;
  readonly data: ReadonlyMap<string, string>;
  readonly previous: TableReading<Table> | undefined;
  /** Keys of no entry that may be there without a warning. */
  readonly isFree?: (key: string) => boolean;
}

/**
 * Reads a ConfigMap's or Secret's data. A bad value leaves the last good one in force, or what is safe, and is warned about.
 * Values that say what they said before are the very same objects, and so is the whole when nothing changed.
 */
export function readTable<Table extends SettingTable>(options: ReadTableOptions<Table>): TableReading<Table> {
  const { table, object, data, previous, isFree = () => false } = options;
  const lines = new Map<string, Line>();
  const warnings: SettingWarning[] = [];
  const parse = (entry: Setting<unknown> | SettingFamily<unknown>, key: string): Line['good'] => {
    const text = data.get(key);
    if (text === undefined) return undefined;
    const line = readLine(entry, text, previous?.lines.get(key));
    lines.set(key, line);
    warnings.push(...line.reasons.map((reason) => ({ object, key, reason })));
    return line.good;
  };
  const entries = Object.entries(table).map(([name, entry]): [string, unknown] => {
    const before: unknown = previous?.values[name];
    if (entry.kind === 'one') {
      const good = parse(entry, entry.key);
      return [name, good !== undefined ? good.value : data.has(entry.key) ? entry.whenBad : entry.fallback];
    }
    return [
      name,
      keepMap(
        before,
        readFamily(entry, data, (key) => parse(entry, key)),
      ),
    ];
  });
  warnings.push(...findUnknownKeys(table, data, lines, isFree).map((key) => ({ object, key, reason: 'not a key that we know' })));
  const values = Object.freeze(Object.fromEntries(entries)) as SettingValues<Table>;
  return { values: keepFields(previous?.values, values), warnings, lines };
}

function readLine(entry: Setting<unknown> | SettingFamily<unknown>, text: string, previous: Line | undefined): Line {
  if (previous?.text === text) return previous;
  const reasons: string[] = [];
  try {
    const value = keepIdentity(previous?.good?.value, freezeDeep(entry.parse(text, (reason) => reasons.push(reason))));
    return { text, good: { value }, reasons };
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const isDefault = entry.kind === 'many' || entry.whenBad === entry.fallback;
    const kept = previous?.good !== undefined ? 'the value from before' : isDefault ? 'the default' : String(entry.whenBad);
    return { text, good: previous?.good, reasons: [`${error.message}; ${kept} is in force`] };
  }
}

function readFamily(
  family: SettingFamily<unknown>,
  data: ReadonlyMap<string, string>,
  parse: (key: string) => Line['good'],
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const key of [...data.keys()].sort()) {
    const name = nameInFamily(family, key);
    const good = name === undefined ? undefined : parse(key);
    if (name !== undefined && good !== undefined) found.set(name, good.value);
  }
  return found;
}

function findUnknownKeys(
  table: SettingTable,
  data: ReadonlyMap<string, string>,
  lines: ReadonlyMap<string, Line>,
  isFree: (key: string) => boolean,
): string[] {
  const known = new Set(Object.values(table).map(({ key }) => key));
  return [...data.keys()].filter((key) => !lines.has(key) && !known.has(key) && !isFree(key));
}

/** The map from before when every entry is the very same. */
export function keepMap(before: unknown, next: ReadonlyMap<string, unknown>): unknown {
  if (before === next) return next;
  if (!(before instanceof Map) || before.size !== next.size) return next;
  return [...next].every(([key, value]) => before.has(key) && Object.is(before.get(key), value)) ? before : next;
}

/** The record from before when every field is the very same. */
export function keepFields<Values extends object>(before: Values | undefined, next: Values): Values {
  if (before === undefined) return next;
  return Object.keys(next).every((name) => Object.is(Reflect.get(before, name), Reflect.get(next, name))) ? before : next;
}
