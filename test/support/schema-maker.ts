import type { JsonObject, JsonValue } from '../../src/objects/index.ts';
import type { SeededRandom } from './seeded-random.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const FORMATS = [
  'date-time',
  'date',
  'int32',
  'int64',
  'uuid',
  'ipv4',
  'ipv6',
  'cidr',
  'byte',
  'duration',
  'hostname',
  'k8s-short-name',
  'mac',
  'unheard-of',
];
const STRINGS = [
  '',
  'x',
  'abc',
  'abcdef',
  '2020-01-02T03:04:05Z',
  '2020-13-01',
  '10.0.0.1',
  'fe80::1',
  '10.0.0.0/8',
  'aGk=',
  '5m',
  'A-b.example.com',
  'é<&>',
];
const PATTERNS = ['^[a-z]*$', '^x', '\\d+', '^(?:abc)+$', '^[[:alpha:]]+$'];

/** Random schemas of custom resources, and values that fit them more or less. */
export class SchemaMaker {
  readonly #random: SeededRandom;
  /** How often a schema is given what makes it not structural. */
  readonly #faults: number;

  constructor(random: SeededRandom, faults = 0) {
    this.#random = random;
    this.#faults = faults;
  }

  /** The schema of a kind, with a spec and a status. */
  makeKind(): JsonObject {
    const identity = this.#random.chance(0.3)
      ? { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } }
      : {};
    const properties = { ...identity, spec: this.make(1), status: this.make(2), ...(this.#fault() && { metadata: this.make(3) }) };
    const preserve = this.#random.chance(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
    return { type: this.#fault() ? 'array' : 'object', properties, ...preserve, ...(this.#fault() && { additionalProperties: true }) };
  }

  make(depth: number): JsonObject {
    const choice = depth > 4 ? 4 + this.#random.below(5) : this.#random.below(10);
    const shared = {
      ...(this.#random.chance(0.15) && { nullable: true }),
      ...(this.#random.chance(0.1) && { description: 'text' }),
      ...(this.#fault() &&
        this.#random.pick<JsonObject>([{ type: '' }, { 'x-kubernetes-embedded-resource': true }, { 'x-kubernetes-int-or-string': true }])),
    };
    if (choice < 3) return { ...this.#object(depth), ...shared };
    if (choice === 3) return { type: 'object', additionalProperties: this.#random.chance(0.15) ? true : this.make(depth + 1), ...shared };
    if (choice < 6) return { ...this.#scalar(), ...shared };
    if (choice === 6)
      return { 'x-kubernetes-int-or-string': true, ...(this.#random.chance(0.5) && { anyOf: [{ type: 'integer' }, { type: 'string' }] }) };
    if (choice === 7) return { 'x-kubernetes-preserve-unknown-fields': true, ...(this.#random.chance(0.5) && { type: 'object' }) };
    return { ...this.#list(depth), ...shared };
  }

  #object(depth: number): JsonObject {
    const names = NAMES.filter(() => this.#random.chance(0.7));
    const properties = Object.fromEntries(names.map((name) => [name, this.#withDefault(this.make(depth + 1), depth)]));
    const isEmbedded = this.#random.chance(0.08);
    return {
      type: 'object',
      properties,
      ...(this.#random.chance(0.3) && { required: names.slice(0, 2) }),
      ...(this.#random.chance(0.1) && { maxProperties: 2 }),
      ...(this.#random.chance(0.1) && { minProperties: 2 }),
      ...(this.#random.chance(0.1) && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(this.#random.chance(0.1) && { 'x-kubernetes-map-type': 'atomic' }),
      ...(isEmbedded && { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
      ...this.#junctors(names),
    };
  }

  #withDefault(schema: JsonObject, depth: number): JsonObject {
    return this.#random.chance(0.2) ? { ...schema, default: this.value(schema, depth + 1) } : schema;
  }

  #junctors(names: readonly string[]): JsonObject {
    if (!this.#random.chance(0.3) || names.length === 0) return {};
    const alternatives = Array.from({ length: 1 + this.#random.below(3) }, () => this.#restriction(names));
    const junctor = this.#random.pick(['anyOf', 'oneOf', 'allOf', 'not']);
    return { [junctor]: junctor === 'not' ? (alternatives[0] ?? {}) : alternatives };
  }

  #restriction(names: readonly string[]): JsonObject {
    const name = this.#fault() ? 'z' : this.#random.pick(names);
    const limit = this.#random.pick<JsonObject>([{ minimum: 1 }, { pattern: '^x' }, { maxLength: 2 }, { enum: ['x', 1] }, { minItems: 1 }]);
    return {
      ...(this.#random.chance(0.5) && { required: [name] }),
      ...(this.#random.chance(0.7) && { properties: { [name]: limit } }),
      ...(this.#fault() &&
        this.#random.pick<JsonObject>([{ type: 'object' }, { description: 'text' }, { default: 1 }, { nullable: true }])),
    };
  }

  #list(depth: number): JsonObject {
    if (this.#fault()) return { type: 'array' };
    const limits = { ...(this.#random.chance(0.15) && { maxItems: 1 }), ...(this.#random.chance(0.1) && { minItems: 2 }) };
    const kind = this.#random.below(4);
    if (kind === 0) return { type: 'array', items: this.#scalar(), 'x-kubernetes-list-type': 'set', ...limits };
    if (kind > 1)
      return { type: 'array', items: this.make(depth + 1), ...(kind === 2 && { 'x-kubernetes-list-type': 'atomic' }), ...limits };
    const keys = this.#random.chance(0.3) ? ['a', 'b'] : ['a'];
    const properties = {
      ...Object.fromEntries(NAMES.map((name) => [name, this.make(depth + 2)])),
      a: { type: 'string' },
      b: { type: 'integer', default: 1 },
    };
    return {
      type: 'array',
      items: { type: 'object', properties, required: ['a'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
      ...limits,
    };
  }

  #scalar(): JsonObject {
    const type = this.#random.pick(['string', 'integer', 'number', 'boolean']);
    if (type === 'boolean') return { type };
    const format = this.#random.chance(0.3) ? { format: this.#random.pick(FORMATS) } : {};
    if (type === 'string') return { type, ...format, ...this.#stringLimits() };
    return {
      type,
      ...format,
      ...(this.#random.chance(0.2) && { minimum: 1, ...(this.#random.chance(0.5) && { exclusiveMinimum: true }) }),
      ...(this.#random.chance(0.2) && { maximum: 2, ...(this.#random.chance(0.5) && { exclusiveMaximum: true }) }),
      ...(this.#random.chance(0.1) && { multipleOf: 2 }),
      ...(this.#random.chance(0.1) && { enum: [1, 2] }),
    };
  }

  #stringLimits(): JsonObject {
    return {
      ...(this.#random.chance(0.2) && { maxLength: 3 }),
      ...(this.#random.chance(0.2) && { minLength: 1 }),
      ...(this.#random.chance(0.2) && { pattern: this.#fault() ? '(' : this.#random.pick(PATTERNS) }),
      ...(this.#random.chance(0.2) && { enum: ['x', 'abc'] }),
    };
  }

  /** An object of a kind; `fit` is how likely each value has its type. */
  makeObject(schema: JsonObject, fit: number): JsonObject {
    const properties = asObject(schema['properties']);
    const body = ['spec', 'status']
      .filter(() => this.#random.chance(0.85))
      .map((name) => [name, this.value(asObject(properties[name]), 1, fit)]);
    const extra = this.#random.chance(0.2) ? { extra: { x: 1 } } : {};
    return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'thing' }, ...extra, ...Object.fromEntries(body) };
  }

  value(schema: JsonObject, depth: number, fit = 1): JsonValue {
    if (!this.#random.chance(fit)) return this.#anything(depth);
    if (schema['x-kubernetes-int-or-string'] === true) return this.#random.pick<JsonValue>([1, 'x']);
    switch (schema['type']) {
      case 'object':
        return this.#objectValue(schema, depth, fit);
      case 'array':
        return Array.from({ length: this.#random.below(4) }, () => this.value(asObject(schema['items'] ?? {}), depth + 1, fit));
      case 'string':
        return this.#random.pick(STRINGS);
      case 'integer':
        return this.#random.pick([0, 1, 2, 3, 2 ** 31, -5]);
      case 'number':
        return this.#random.pick([0, 1, 1.5, 2, 4]);
      case 'boolean':
        return this.#random.chance(0.5);
      default:
        return this.#anything(depth);
    }
  }

  #objectValue(schema: JsonObject, depth: number, fit: number): JsonObject {
    const properties = asObject(schema['properties'] ?? {});
    const values = schema['additionalProperties'];
    const entries: [string, JsonValue][] = [];
    for (const name of [...NAMES, 'e']) {
      const type = properties[name] ?? (values === true ? {} : values);
      if (type !== undefined && this.#random.chance(0.7)) entries.push([name, this.value(asObject(type), depth + 1, fit)]);
      else if (fit < 1 && this.#random.chance(0.08)) entries.push([name, this.#anything(depth)]);
    }
    if (schema['x-kubernetes-embedded-resource'] === true && this.#random.chance(0.7))
      entries.push(['apiVersion', 'v1'], ['kind', 'Pod'], ['metadata', { name: 'inner' }]);
    return Object.fromEntries(entries);
  }

  #anything(depth: number): JsonValue {
    const choice = depth > 5 ? this.#random.below(4) : this.#random.below(7);
    if (choice === 5)
      return Object.fromEntries(NAMES.filter(() => this.#random.chance(0.5)).map((name) => [name, this.#anything(depth + 1)]));
    if (choice === 6) return Array.from({ length: this.#random.below(3) }, () => this.#anything(depth + 1));
    return this.#random.pick<JsonValue>(['x', 1, 1.5, true, null]);
  }

  #fault(): boolean {
    return this.#faults > 0 && this.#random.chance(this.#faults);
  }
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
