import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { builtinSchema } from '../schema/index.ts';
import { checkStructural } from './check-structural.ts';
import { completeCustomSchema } from './custom-schema.ts';
import { pruneBuiltinObject, pruneCustomObject, strictDecodingError } from './prune.ts';
import { setDefaults } from './set-defaults.ts';
import { parseStructural } from './structural-schema.ts';
import { countUnevaluatedRules, validateBuiltinObject, validateCustomObject } from './validate-object.ts';

/** The schema of a kind whose spec is as given. */
function kindOf(spec: JsonObject): JsonObject {
  return { type: 'object', properties: { spec } };
}

function complaints(schema: JsonObject): string[] {
  return checkStructural(schema, 'schema').map(({ field, message }) => `${field}: ${message}`);
}

function faults(spec: JsonObject, value: JsonValue): string[] {
  return validateCustomObject({ spec: value }, parseStructural(kindOf(spec))).map(
    ({ reason, field, message }) => `${reason} ${field}: ${message}`,
  );
}

describe('a structural schema', () => {
  it.each<[string, JsonObject, string[]]>([
    ['is one', kindOf({ type: 'object', properties: { a: { type: 'string' } } }), []],
    ['has types', kindOf({}), ['schema.properties[spec].type: Required value: must not be empty for specified object fields']],
    ['is an object', { type: 'array', items: { type: 'string' } }, ['schema.type: Invalid value: "array": must be object at the root']],
    ['has items for arrays', kindOf({ type: 'array' }), ['schema.properties[spec].items: Required value: must be specified']],
    [
      'has no types in junctors',
      kindOf({ type: 'string', anyOf: [{ type: 'string' }] }),
      ['schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      'describes what it restricts',
      { type: 'object', allOf: [{ properties: { a: { minimum: 1 } } }] },
      ['schema.properties[a]: Required value: because it is defined in schema.allOf[0].properties[a]'],
    ],
    [
      'leaves metadata alone',
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      [
        'schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    ['may say integer or string', kindOf({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }), []],
  ])('%s', (_what, schema, expected) => {
    expect(complaints(schema)).toEqual(expected);
  });

  it('counts the rules that nobody evaluates', () => {
    const rules = [{ rule: 'self.a > 1' }];
    const schema = kindOf({
      type: 'object',
      'x-kubernetes-validations': rules,
      properties: { a: { type: 'integer', 'x-kubernetes-validations': rules } },
    });
    expect(countUnevaluatedRules(parseStructural(schema))).toBe(2);
    expect(faults({ type: 'object', properties: { a: { type: 'integer', 'x-kubernetes-validations': rules } } }, { a: 0 })).toEqual([]);
  });

  it('is completed with what every object has', () => {
    const metadata = builtinSchema('v1', 'ConfigMap')?.properties?.get('metadata') ?? {};
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
    const schema = completeCustomSchema(parseStructural(kindOf(embedded)), metadata);
    expect(schema.properties?.get('metadata')?.properties?.has('labels')).toBe(true);
    expect(schema.properties?.get('spec')?.properties?.has('kind')).toBe(true);
  });
});

describe('pruning', () => {
  const schema = parseStructural(
    kindOf({
      type: 'object',
      properties: {
        known: { type: 'string' },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { strict: { type: 'object', properties: { a: { type: 'string' } } } },
        },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    }),
  );
  const metadata = builtinSchema('v1', 'ConfigMap')?.properties?.get('metadata');

  it('drops what is not described and says so', () => {
    const spec = { known: '1', other: 1, free: { any: 1, strict: { a: '1', b: 2 } }, list: [{ a: '1', b: 2 }] };
    const { object, unknown } = pruneCustomObject(
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'a', nmae: 'b' }, spec, top: 1 },
      schema,
      metadata,
    );
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name: 'a' },
      spec: { known: '1', free: { any: 1, strict: { a: '1' } }, list: [{ a: '1' }] },
    });
    expect(unknown).toEqual(['metadata.nmae', 'spec.free.strict.b', 'spec.list[0].b', 'spec.other', 'top']);
    expect(strictDecodingError(unknown.slice(3))).toBe('strict decoding error: unknown field "spec.other", unknown field "top"');
  });

  it('reads built-in kinds as Go does', () => {
    const deployment = builtinSchema('apps/v1', 'Deployment');
    if (deployment === undefined) throw new Error('there is no Deployment');
    const { object, unknown } = pruneBuiltinObject(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { labels: { a: null }, annotations: null },
        spec: { foo: 1, template: { spec: { containers: [{ name: 'a', imge: 'x' }] } } },
      },
      deployment,
    );
    expect(object).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { labels: { a: '' } },
      spec: { template: { spec: { containers: [{ name: 'a' }] } } },
    });
    expect(unknown).toEqual(['spec.foo', 'spec.template.spec.containers[0].imge']);
  });

  it('keeps free JSON in built-in kinds', () => {
    const crd = builtinSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    if (crd === undefined) throw new Error('there is no CustomResourceDefinition');
    const openAPIV3Schema = { type: 'object', properties: { a: { type: 'object', default: { x: [null] } } }, nonsense: 1 };
    const { unknown, object } = pruneBuiltinObject({ spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema } }] } }, crd);
    expect(unknown).toEqual(['spec.versions[0].schema.openAPIV3Schema.nonsense']);
    expect(JSON.stringify(object)).toContain('"default":{"x":[null]}');
  });
});

describe('defaults', () => {
  it.each<[string, JsonObject, JsonValue, JsonValue]>([
    ['fill what is left out', { a: { type: 'integer', default: 1 } }, {}, { a: 1 }],
    ['keep what is there', { a: { type: 'integer', default: 1 } }, { a: 2 }, { a: 2 }],
    [
      'reach into defaults',
      { a: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 1 } } } },
      {},
      { a: { b: 1 } },
    ],
    [
      'reach into lists',
      { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer', default: 1 } } } } },
      { a: [{}, { b: 2 }] },
      { a: [{ b: 1 }, { b: 2 }] },
    ],
    [
      'reach into maps',
      { a: { type: 'object', additionalProperties: { type: 'object', properties: { b: { type: 'integer', default: 1 } } } } },
      { a: { x: {} } },
      { a: { x: { b: 1 } } },
    ],
    ['replace a null that is not allowed', { a: { type: 'integer', default: 1 } }, { a: null }, { a: 1 }],
    ['keep a null that is allowed', { a: { type: 'integer', default: 1, nullable: true } }, { a: null }, { a: null }],
    ['drop a null where there is none', { a: { type: 'integer' } }, { a: null }, {}],
  ])('%s', (_what, properties, spec, expected) => {
    expect(setDefaults({ spec }, parseStructural(kindOf({ type: 'object', properties })))).toEqual({ spec: expected });
  });
});

describe('validation', () => {
  it('takes no longer for a pattern than its text is long, in the words of Go (JQ-03)', () => {
    const isWrong = (pattern: string, text: string): boolean => faults({ type: 'string', pattern }, text).length > 0;
    expect(isWrong('^(a+)+$', 'a'.repeat(5_000))).toBe(false);
    expect(isWrong('^(a+)+$', `${'a'.repeat(5_000)}!`)).toBe(true);
    expect(isWrong('^(a|a?)+$', `${'a'.repeat(5_000)}!`)).toBe(true);
    expect(isWrong('(a*)*b', 'a'.repeat(2_000_000))).toBe(false);
    const startMs = performance.now();
    expect(isWrong(`[${'b'.repeat(19_000)}]`, 'a'.repeat(1_000_000))).toBe(false);
    expect(isWrong(`${'(b){0}'.repeat(3_000)}c`, 'a'.repeat(1_000_000))).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(isWrong('^[-a-zA-Z0-9_.+!#$%&*/=?^{|}~]+$', 'a-b@'.repeat(10))).toBe(true);
    expect(isWrong(String.raw`\A[[:alpha:]]+\z`, 'abc')).toBe(false);
    expect(isWrong('(?i)^abc$', 'ABC')).toBe(false);
    const problem = "must be a valid regular expression, but isn't: error parsing regexp: missing closing )";
    expect(complaints(kindOf({ type: 'string', pattern: '(' })).join('\n')).toContain(problem);
  });

  it.each<[string, JsonObject, JsonValue, string[]]>([
    [
      'a type',
      { type: 'integer' },
      'x',
      ['FieldValueTypeInvalid spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
    [
      'null',
      { type: 'integer' },
      null,
      ['FieldValueTypeInvalid spec: Invalid value: "null": spec in body must be of type integer: "null"'],
    ],
    [
      'integer or string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['FieldValueTypeInvalid spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"'],
    ],
    ['required fields', { type: 'object', required: ['a'] }, {}, ['FieldValueRequired spec.a: Required value']],
    [
      'allowed values',
      { type: 'string', enum: ['a', 'b'] },
      'c',
      ['FieldValueNotSupported spec: Unsupported value: "c": supported values: "a", "b"'],
    ],
    [
      'a pattern',
      { type: 'string', pattern: '^a+$' },
      'b',
      ['FieldValueInvalid spec: Invalid value: "b": spec in body should match \'^a+$\''],
    ],
    [
      'a minimum',
      { type: 'integer', minimum: 1 },
      0,
      ['FieldValueInvalid spec: Invalid value: 0: spec in body should be greater than or equal to 1'],
    ],
    [
      'a maximum',
      { type: 'number', maximum: 2.5, exclusiveMaximum: true },
      2.5,
      ['FieldValueInvalid spec: Invalid value: 2.5: spec in body should be less than 2.5'],
    ],
    [
      'a range',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec'],
    ],
    ['a length', { type: 'string', maxLength: 2 }, 'abc', ['FieldValueTooLong spec: Too long: may not be more than 2 bytes']],
    [
      'a least length',
      { type: 'string', minLength: 2 },
      'é',
      ['FieldValueInvalid spec: Invalid value: "é": spec in body should be at least 2 chars long'],
    ],
    [
      'a time',
      { type: 'string', format: 'date-time' },
      'now',
      ['FieldValueTypeInvalid spec: Invalid value: "now": spec in body must be of type date-time: "now"'],
    ],
    [
      'items',
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      ['a', 1],
      [
        'FieldValueTypeInvalid spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "integer"',
        'FieldValueTooMany spec: Too many: 2: must have at most 1 item',
      ],
    ],
    [
      'a set',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      ['a', 'a'],
      ['FieldValueDuplicate spec[1]: Duplicate value: "a"'],
    ],
    [
      'a keyed list',
      { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] },
      [{ n: 1 }, { n: 1 }],
      ['FieldValueDuplicate spec[1]: Duplicate value: {"n":1}'],
    ],
    [
      'many fields',
      { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
      { a: '', b: '' },
      ['FieldValueTooMany spec: Too many: 2: must have at most 1 item'],
    ],
    [
      'one of',
      { type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 1 },
      ['FieldValueInvalid <nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'not',
      { type: 'object', not: { required: ['a'] } },
      { a: 1 },
      ['FieldValueInvalid <nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    ],
  ])('knows %s', (_what, schema, value, expected) => {
    expect(faults(schema, value)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ['ipv4', ['10.0.0.1', '010.0.0.1'], ['10.0.0', '10.0.0.256', 'x']],
    ['ipv6', ['::1', 'fe80::1:2', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'], ['1', '1::2::3', '1:2:3:4:5:6:7:8:9', 'g::']],
    ['cidr', ['10.0.0.0/8', 'fe80::/10'], ['10.0.0.0', '10.0.0.0/33', 'fe80::/129']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-1-1']],
    ['date-time', ['2024-02-29T10:11:12Z', '2024-02-29t10:11:12.5+01:00'], ['2024-02-29', '2024-02-29T25:00:00Z']],
    ['duration', ['5m', '1h30m', '2 days'], ['', 'abc']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    ['hostname', ['example.com', 'web-1.example.com', 'w-eb'], ['-a', 'a_b', 'web-1']],
    ['byte', ['aGk=', 'aGVsbG8h'], ['a', 'a=b=']],
    ['mac', ['00:00:5e:00:53:01', '0000.5e00.5301'], ['00:00', 'zz:00:5e:00:53:01']],
    ['uri', ['https://example.com/a?b', '/a', 'mailto:x', 'http://[::1]:80/'], ['a b', 'example', 'http://a:b/', 'http://a%zz/']],
    ['email', ['x@y', 'X <x@y.z>', '"q q"@y.z'], ['x@', '.x@y', 'x@y, z@y']],
    ['k8s-short-name', ['a-b'], ['A', 'a.b']],
    ['k8s-long-name', ['a.b-c'], ['a..b']],
  ])('knows the format %s', (format, good, bad) => {
    const schema = { type: 'string', format };
    expect(good.filter((text) => faults(schema, text).length > 0)).toEqual([]);
    expect(bad.filter((text) => faults(schema, text).length === 0)).toEqual([]);
  });

  it('checks built-in kinds, in which null is nothing', () => {
    const service = builtinSchema('v1', 'Service');
    if (service === undefined) throw new Error('there is no Service');
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { labels: null },
      spec: { type: 1, ports: [{ targetPort: 'http' }, { port: '80', targetPort: true }] },
    };
    expect(validateBuiltinObject(object, service).map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'spec.type: Invalid value: "integer": spec.type in body must be of type string: "integer"',
      'spec.ports[0].port: Required value',
      'spec.ports[1].port: Invalid value: "string": spec.ports[1].port in body must be of type integer: "string"',
      'spec.ports[1].targetPort: Invalid value: "boolean": spec.ports[1].targetPort in body must be of type integer,string: "boolean"',
    ]);
  });
});
