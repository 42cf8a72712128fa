import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListAtom {
  readonly items: () => Atom;
  /** Absent for an atomic list. Without keys an associative list is a set of scalars. */
  readonly keys: readonly string[] | undefined;
}

export interface MapAtom {
  readonly atomic: boolean;
  readonly field: (name: string) => Atom | undefined;
  readonly defaultOf: (name: string) => JsonValue | undefined;
  /** The type of entries that are not named fields; absent where there may be none. */
  readonly values: (() => Atom) | undefined;
  /** Nothing is named and anything may come, or any scalar: stored owners of such maps are not brought in line with the schema. */
  readonly isFree: () => boolean;
}

/** What server-side apply needs of a schema: which forms a value may take, and how each is owned and merged. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

/** The type of values that no schema describes, inside an atomic list. */
const UNTYPED: Atom = {
  scalar: 'untyped',
  list: { items: () => UNTYPED, keys: undefined },
  map: { atomic: true, field: noField, defaultOf: noField, values: () => UNTYPED, isFree: () => false },
};

/** The type of values that no schema describes: maps are granular, lists atomic. */
export const FREE: Atom = {
  scalar: 'untyped',
  list: { items: () => UNTYPED, keys: undefined },
  map: { atomic: false, field: noField, defaultOf: noField, values: () => FREE, isFree: () => true },
};

/** What holds for a schema because of where it stands. */
interface Setting {
  /** A schema above keeps unknown fields. */
  readonly preserve: boolean;
  /** The schema is of a Go type, whose required fields are never absent: they have the empty value instead. */
  readonly builtin: boolean;
}

type AtomCache = WeakMap<Schema, Atom>;

/** One cache per setting. */
const caches: Readonly<Record<'plain' | 'preserving', Readonly<Record<'custom' | 'builtin', AtomCache>>>> = {
  plain: { custom: new WeakMap(), builtin: new WeakMap() },
  preserving: { custom: new WeakMap(), builtin: new WeakMap() },
};

/** The atom of a schema; without one every value is free. `builtin` says that the schema is of one of Kubernetes' own kinds. */
export function atomOf(schema: Schema | undefined, builtin = false): Atom {
  return schema === undefined ? FREE : atomIn(schema, { preserve: false, builtin });
}

function atomIn(schema: Schema, { preserve: inherited, builtin }: Setting): Atom {
  const preserve = inherited || schema.preserveUnknownFields === true;
  const atoms = caches[preserve ? 'preserving' : 'plain'][builtin ? 'builtin' : 'custom'];
  let atom = atoms.get(schema);
  if (atom === undefined) atoms.set(schema, (atom = makeAtom(schema, { preserve, builtin })));
  return atom;
}

function makeAtom(schema: Schema, setting: Setting): Atom {
  // In a custom resource an integer-or-string has no type, and only validation refuses the rest.
  if (schema.quantity === true || (schema.intOrString === true && setting.builtin)) return { scalar: 'untyped' };
  switch (schema.type) {
    case 'object':
      return { map: mapAtom(schema, setting) };
    case 'array':
      return { list: listAtom(schema, setting) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listAtom(schema, setting), map: mapAtom(schema, setting) };
  }
}

function mapAtom(schema: Schema, setting: Setting): MapAtom {
  const { properties, additionalProperties } = schema;
  const hasFields = properties !== undefined && properties.size > 0;
  const isFree = additionalProperties === undefined && (setting.preserve || !hasFields);
  return {
    atomic: schema.mapType === 'atomic',
    field: (name) => {
      const child = properties?.get(name);
      return child === undefined ? undefined : atomIn(child, setting);
    },
    defaultOf: (name) => properties?.get(name)?.default ?? (setting.builtin ? builtinDefault(schema, name) : undefined),
    values: isFree ? () => FREE : additionalProperties && (() => atomIn(additionalProperties, setting)),
    isFree: () =>
      !hasFields &&
      (isFree || (!setting.builtin && additionalProperties !== undefined && atomIn(additionalProperties, setting).scalar === 'untyped')),
  };
}

/** Required fields are empty where they are absent, and so is the name of a reference that has nothing but a name. */
function builtinDefault({ properties, required }: Schema, name: string): JsonValue | undefined {
  if (!required?.includes(name) && properties?.size !== 1) return undefined;
  const type = properties?.get(name)?.type;
  if (type === 'string') return '';
  return type === 'integer' ? 0 : undefined;
}

function listAtom(schema: Schema, setting: Setting): ListAtom {
  const { items } = schema;
  return { items: items === undefined ? () => UNTYPED : () => atomIn(items, setting), keys: listKeys(schema) };
}

/** Lists that say nothing about apply follow what they say about strategic merge, and are atomic where that is silent too. */
function listKeys({ listType, listMapKeys, patchStrategies, patchMergeKey }: Schema): readonly string[] | undefined {
  if (listType === 'map') return listMapKeys ?? [];
  if (listType === 'set') return [];
  if (listType === undefined && patchStrategies?.includes('merge')) return patchMergeKey === undefined ? [] : [patchMergeKey];
  return undefined;
}

/** Narrows an atom with several forms to the one that the value has; an unfit value leaves it as it is, for a check to refuse. */
export function narrowAtom(atom: Atom, value: JsonValue | undefined): Atom {
  if (value === undefined || value === null) return atom;
  if (isJsonArray(value)) return atom.list ? listOnly(atom.list) : atom;
  if (isJsonObject(value)) return atom.map ? mapOnly(atom.map) : atom;
  return atom.scalar ? SCALARS[atom.scalar] : atom;
}

const SCALARS: Record<Scalar, Atom> = {
  numeric: { scalar: 'numeric' },
  string: { scalar: 'string' },
  boolean: { scalar: 'boolean' },
  untyped: { scalar: 'untyped' },
};

const listAtoms = new WeakMap<ListAtom, Atom>();
const mapAtoms = new WeakMap<MapAtom, Atom>();

function listOnly(list: ListAtom): Atom {
  let atom = listAtoms.get(list);
  if (atom === undefined) listAtoms.set(list, (atom = { list }));
  return atom;
}

function mapOnly(map: MapAtom): Atom {
  let atom = mapAtoms.get(map);
  if (atom === undefined) mapAtoms.set(map, (atom = { map }));
  return atom;
}

function noField(): undefined {
  return undefined;
}
