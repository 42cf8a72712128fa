import type { JsonValue } from '../../../contract/index.ts';

/** Chosen names at one level; a name without further levels stands for everything below it. */
interface Level {
  readonly names: Map<string, Level>;
  whole: boolean;
}

/** Cuts a message down to what the client asked for. */
export type SelectFields = (value: JsonValue) => JsonValue;

/**
 * Reads a selection such as `items.metadata.name,items.spec`: a list of dotted paths, in which lists are transparent.
 * A minus sign in front turns it round: everything except these. What is `alwaysKept` need not be asked for.
 */
export function parseFields(selection: string, alwaysKept: readonly string[] = []): SelectFields | undefined {
  const isExclusion = selection.startsWith('-');
  const paths = (isExclusion ? selection.slice(1) : selection).split(',').filter((path) => path !== '');
  if (paths.length === 0) return undefined;
  const root = createLevel();
  for (const path of isExclusion ? paths : [...paths, ...alwaysKept]) {
    let level = root;
    for (const name of path.split('.')) {
      let next = level.names.get(name);
      if (next === undefined) level.names.set(name, (next = createLevel()));
      level = next;
    }
    level.whole = true;
  }
  return (value) => (isExclusion ? exclude(value, root) : include(value, root));
}

function createLevel(): Level {
  return { names: new Map(), whole: false };
}

function include(value: JsonValue, level: Level): JsonValue {
  if (level.whole || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => include(item, level));
  const kept = Object.entries(value).filter(([name]) => level.names.has(name));
  return fromEntries(kept.map(([name, item]) => [name, include(item, level.names.get(name)!)]));
}

function exclude(value: JsonValue, level: Level): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => exclude(item, level));
  const kept = Object.entries(value).filter(([name]) => level.names.get(name)?.whole !== true);
  return fromEntries(
    kept.map(([name, item]) => {
      const next = level.names.get(name);
      return [name, next === undefined ? item : exclude(item, next)];
    }),
  );
}

/** Defines each name, so that `__proto__` is a name like any other. */
function fromEntries(entries: readonly (readonly [string, JsonValue])[]): JsonValue {
  return Object.fromEntries(entries);
}
