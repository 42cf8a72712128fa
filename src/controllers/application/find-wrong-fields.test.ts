import { describe, expect, it } from 'vitest';
import { manifestCorpus } from '../../../test/support/manifest-corpus.ts';
import { parseStructural, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { findWrongCustomFields, findWrongFields, findWrongMetadata } from './find-wrong-fields.ts';

const object = (more: object): KubeObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, ...more }) as KubeObject;

describe('What is wrong with a manifest', () => {
  it('is nothing for those that people write', () => {
    const found = manifestCorpus().map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, findWrongFields(manifest)]);
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(([, problem]) => problem !== undefined)).toEqual([]);
  });

  it.each([
    [{ spec: { portz: [] } }, 'error validating data: strict decoding error: unknown field "spec.portz"'],
    [
      { spec: { ports: [{ port: 'eighty' }] } },
      'error validating data: spec.ports[0].port: Invalid value: "string": spec.ports[0].port in body must be of type integer: "string"',
    ],
    [{ spec: { ports: [{}] } }, 'error validating data: spec.ports[0].port: Required value'],
  ])('is told (%#)', (more, expected) => {
    expect(findWrongFields(object(more))).toBe(expected);
  });

  it('is told of the first where there is a lot, and takes no longer for each (DOS-07)', { timeout: 20_000 }, () => {
    const data = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
    expect(findWrongFields({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data })).toMatch(/ and 199950 more$/);
  });

  it('is told of names, labels and annotations', () => {
    const named = (metadata: object, kind = 'ConfigMap'): KubeObject => ({ apiVersion: 'v1', kind, metadata }) as KubeObject;
    expect(findWrongMetadata(named({ name: 'My_Settings' }))).toMatch(
      /^error validating data: metadata\.name: Invalid value: "My_Settings": /,
    );
    expect(findWrongMetadata(named({ name: 'a', labels: { team: 'the red one' } }))).toContain(
      'metadata.labels: Invalid value: "the red one"',
    );
    expect(findWrongMetadata(named({ name: 'a', annotations: { 'a b': '' } }))).toContain('metadata.annotations: Invalid value: "a b"');
    expect(findWrongMetadata(named({ name: 'system:reader' }, 'ClusterRole'))).toBeUndefined();
    expect(manifestCorpus().map(findWrongMetadata).filter(Boolean)).toEqual([]);
  });

  it('is not looked for in what is not applied, nor in kinds that nobody here knows', () => {
    expect(findWrongFields(object({ spec: {}, status: {} }))).toBeUndefined();
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a' }, spec: { minAvailable: 1 }, status: {} };
    expect(findWrongFields(budget as unknown as KubeObject)).toBeUndefined();
    expect(findWrongFields({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: 1 })).toBeUndefined();
  });
});

describe('What is wrong with an object of a custom kind', () => {
  const spec = {
    type: 'object',
    required: ['size'],
    properties: { size: { type: 'integer', default: 1 }, mode: { enum: ['a', 'b'], type: 'string' } },
  };
  const schema = parseStructural({ type: 'object', properties: { spec, status: { type: 'object', required: ['ready'] } } });
  const kind = { schema, keepsUnknown: false, hasStatus: true, hasRules: false };
  const sized = (more: object): KubeObject =>
    ({ apiVersion: 'example.com/v1', kind: 'Sized', metadata: { name: 'a' }, ...more }) as KubeObject;

  it.each([
    [
      { spec: { size: 'large' } },
      'error validating data: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ],
    [{ spec: { colour: 'red' } }, 'error validating data: strict decoding error: unknown field "spec.colour"'],
    [{ spec: { mode: 'c' } }, 'error validating data: spec.mode: Unsupported value: "c": supported values: "a", "b"'],
  ])('is told as the cluster would (%#)', (more, expected) => {
    expect(findWrongCustomFields(sized(more), kind)).toBe(expected);
  });

  it('is nothing where defaults make it right, in a status that is not applied, and in fields that are kept', () => {
    expect(findWrongCustomFields(sized({ spec: {}, status: {} }), kind)).toBeUndefined();
    expect(findWrongCustomFields(sized({ spec: {}, status: {} }), { ...kind, hasStatus: false })).toContain('status.ready: Required value');
    expect(findWrongCustomFields(sized({ spec: { colour: 'red' } }), { ...kind, keepsUnknown: true })).toBeUndefined();
  });

  it('is for the cluster to say where patterns take too long (JQ-03)', () => {
    const named = (rules: JsonObject) => {
      const properties = { spec: { type: 'object', properties: { name: { type: 'string', ...rules } } } };
      return { ...kind, schema: parseStructural({ type: 'object', properties }) };
    };
    const slow = { pattern: '^(x+x+)+y$' };
    expect(findWrongCustomFields(sized({ spec: { name: 'x'.repeat(5_000) } }), named(slow))).toContain("should match '^(x+x+)+y$'");
    const long = sized({ spec: { name: 'x'.repeat(2_000_000) } });
    expect(findWrongCustomFields(long, named(slow))).toBeUndefined();
    expect(findWrongCustomFields(long, named({ not: slow }))).toBeUndefined();
  });
});
