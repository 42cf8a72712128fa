import { isJsonArray, isJsonObject } from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/objects/index.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Metadata that a user may set; the rest names the object or is the server's. */
const METADATA_FIELDS = ['labels', 'annotations', 'finalizers', 'ownerReferences'];
const IDENTITY = new Set(['apiVersion', 'kind', 'metadata']);
const KEYS = ['a', 'b', 'c'];
const DEPTH_MAX = 7;

/**
 * Random objects of one kind. Only some fields of each type are ever used, so that objects of one maker overlap: that is what makes
 * owners meet.
 */
export class ObjectMaker {
  readonly #schema: Schema;
  readonly #random: SeededRandom;
  readonly #fields = new Map<Schema, readonly string[]>();

  constructor(schema: Schema, random: SeededRandom) {
    this.#schema = schema;
    this.#random = random;
  }

  make(identity: { apiVersion: string; kind: string; name: string }): JsonObject {
    const entries: [string, JsonValue][] = [...(this.#schema.properties ?? [])]
      .filter(([name]) => !IDENTITY.has(name) && this.#random.chance(0.8))
      .map(([name, schema]) => [name, this.#value(schema, 1)]);
    const metadata = this.#schema.properties?.get('metadata')?.properties ?? new Map<string, Schema>();
    const meta = METADATA_FIELDS.filter(() => this.#random.chance(0.5)).flatMap((name): [string, JsonValue][] => {
      const schema = metadata.get(name);
      const value = schema === undefined ? null : this.#value(schema, 2);
      // Nulls in labels and annotations become empty texts when the server reads them; that is not what is tried here.
      return value === null
        ? []
        : [[name, isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, text]) => text !== null)) : value]];
    });
    const { apiVersion, kind, name } = identity;
    return { apiVersion, kind, ...Object.fromEntries(entries), metadata: { name, namespace: 'space', ...Object.fromEntries(meta) } };
  }

  /** A mixture of an object and another: parts of both, and now and then neither. */
  mix(old: JsonValue, fresh: JsonValue, depth = 0): JsonValue {
    if (isJsonObject(old) && isJsonObject(fresh)) {
      const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
      return Object.fromEntries(keys.flatMap((key) => this.#mixField(key, old[key], fresh[key], depth)));
    }
    if (isJsonArray(old) && isJsonArray(fresh) && this.#random.chance(0.5))
      return this.#random.sample([...old, ...fresh], 1 + this.#random.below(3));
    return this.#random.chance(0.7) ? old : fresh;
  }

  #mixField(key: string, old: JsonValue | undefined, fresh: JsonValue | undefined, depth: number): [string, JsonValue][] {
    if (depth === 0 && (key === 'apiVersion' || key === 'kind')) return [[key, old ?? fresh ?? null]];
    if (depth === 1 && ['name', 'namespace', 'uid', 'managedFields'].includes(key)) return old === undefined ? [] : [[key, old]];
    if (old === undefined) return fresh !== undefined && this.#random.chance(0.4) ? [[key, fresh]] : [];
    if (fresh === undefined) return depth > 0 && this.#random.chance(0.15) ? [] : [[key, old]];
    return [[key, this.mix(old, fresh, depth + 1)]];
  }

  #value(schema: Schema, depth: number): JsonValue {
    if (this.#random.chance(0.02)) return null;
    if (schema.quantity === true) return this.#random.pick(['1', '100m', 2]);
    if (schema.intOrString === true) return this.#random.pick([80, 'http', '25%']);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#list(schema, depth);
      case 'string':
        return schema.format === 'date-time' ? '2020-01-01T00:00:00Z' : this.#random.pick(['x', 'y', '']);
      case 'integer':
        return this.#random.below(3);
      case 'number':
        return this.#random.pick([0, 1.5]);
      case 'boolean':
        return this.#random.chance(0.5);
      default:
        return this.#free(depth);
    }
  }

  #object(schema: Schema, depth: number): JsonValue {
    if (depth > DEPTH_MAX) return {};
    if (schema.properties !== undefined && schema.properties.size > 0) {
      const names = this.#usedFields(schema, schema.properties).filter(() => this.#random.chance(0.6));
      return Object.fromEntries(names.map((name) => [name, this.#value(schema.properties?.get(name) ?? {}, depth + 1)]));
    }
    const values = schema.additionalProperties;
    const keys = KEYS.filter(() => this.#random.chance(0.5));
    return Object.fromEntries(keys.map((key) => [key, values === undefined ? this.#free(depth + 1) : this.#value(values, depth + 1)]));
  }

  /** The few fields of a type that this maker uses, the keys of lists among them. */
  #usedFields(schema: Schema, properties: ReadonlyMap<string, Schema>): readonly string[] {
    let fields = this.#fields.get(schema);
    if (fields === undefined) this.#fields.set(schema, (fields = this.#random.sample([...properties.keys()], 6)));
    return fields;
  }

  #list(schema: Schema, depth: number): JsonValue {
    const items = schema.items;
    const length = depth > DEPTH_MAX ? 0 : this.#random.below(4);
    const list: JsonValue[] = Array.from({ length }, () => (items === undefined ? this.#free(depth + 1) : this.#value(items, depth + 1)));
    if (schema.listType === 'set') return [...new Set(list.filter((item) => item !== null || this.#random.chance(0.05)))];
    if (schema.listType !== 'map') return list;
    const seen = new Set<string>();
    return list.flatMap((item) => {
      const keyed = this.#withKeys(item, schema);
      const text = JSON.stringify((schema.listMapKeys ?? []).map((key) => (isJsonObject(keyed) ? keyed[key] : null)));
      if (seen.has(text) && this.#random.chance(0.97)) return [];
      seen.add(text);
      return [keyed];
    });
  }

  #withKeys(item: JsonValue, schema: Schema): JsonValue {
    const base = isJsonObject(item) ? item : {};
    const keys = (schema.listMapKeys ?? []).flatMap((key): [string, JsonValue][] => {
      const type = schema.items?.properties?.get(key);
      if (this.#random.chance(type?.default === undefined ? 0.02 : 0.5)) return [];
      return [
        [
          key,
          type?.type === 'integer' ? 80 + this.#random.below(3) : this.#random.pick(type?.default === undefined ? KEYS : ['TCP', 'UDP']),
        ],
      ];
    });
    return {
      ...Object.fromEntries(Object.entries(base).filter(([key]) => !schema.listMapKeys?.includes(key))),
      ...Object.fromEntries(keys),
    };
  }

  #free(depth: number): JsonValue {
    const choice = depth > DEPTH_MAX ? 0 : this.#random.below(6);
    if (choice === 1) return Object.fromEntries(KEYS.filter(() => this.#random.chance(0.5)).map((key) => [key, this.#free(depth + 1)]));
    if (choice === 2) return Array.from({ length: this.#random.below(3) }, () => this.#free(depth + 2));
    return this.#random.pick<JsonValue>(['x', 1, true, 'y']);
  }
}
