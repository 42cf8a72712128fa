import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  checkStructural,
  jsonEquals,
  parseStructural,
  pruneCustomObject,
  setDefaults,
  validateCustomObject,
} from '../../src/objects/index.ts';
import type { FieldError, JsonObject } from '../../src/objects/index.ts';
import { ApplyOracle } from '../support/apply-oracle.ts';
import type { OracleCause } from '../support/apply-oracle.ts';
import { SchemaMaker } from '../support/schema-maker.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const LIMIT = { timeout: 120_000 };

describeWithTool('apply-oracle', 'schemas of custom resources, beside the packages of the API server', (tool) => {
  let oracle: ApplyOracle;
  beforeAll(() => {
    oracle = new ApplyOracle(tool());
  });
  afterAll(() => oracle.stop());

  it('agrees which schemas are structural, and why not', LIMIT, async () => {
    let refused = 0;
    for (let seed = 1; seed <= 800; seed++) {
      const schema = new SchemaMaker(new SeededRandom(seed), seed % 3 === 0 ? 0 : 0.06).makeKind();
      const { causes = [], failure } = await oracle.ask({ op: 'structural', schema });
      expect(failure, JSON.stringify(schema)).toBeUndefined();
      const errors = checkStructural(schema, '');
      if (errors.length > 0) refused++;
      expect(errors.map(withoutEngine), JSON.stringify(schema)).toEqual(causes.map(withoutEngine));
    }
    expect(refused).toBeGreaterThan(200);
  });

  it('prunes the same fields and names them', LIMIT, async () => {
    for (let seed = 1; seed <= 1_200; seed++) {
      const { schema, object } = makeCase(seed, 0.9);
      const answer = await oracle.ask({ op: 'prune', schema, object });
      const pruned = pruneCustomObject(object, parseStructural(schema));
      expectObject(pruned.object, answer.object, () => describeCase(schema, object, seed));
      expect(pruned.unknown, describeCase(schema, object, seed)).toEqual(answer.unknown ?? []);
    }
  });

  it('sets the same defaults', LIMIT, async () => {
    for (let seed = 1; seed <= 1_200; seed++) {
      const { schema, object } = makeCase(seed, 0.9);
      const answer = await oracle.ask({ op: 'default', schema, object });
      expectObject(setDefaults(object, parseStructural(schema)), answer.object, () => describeCase(schema, object, seed));
    }
  });

  it('finds the same faults in objects', LIMIT, async () => {
    let faulty = 0;
    for (let seed = 1; seed <= 2_000; seed++) {
      const { schema, object } = makeCase(seed, seed % 2 === 0 ? 0.97 : 0.85);
      const answer = await oracle.ask({ op: 'validate', schema, object });
      expect(answer.failure, describeCase(schema, object, seed)).toBeUndefined();
      const errors = validateCustomObject(object, parseStructural(schema));
      if (errors.length > 0) faulty++;
      expect(texts(errors), describeCase(schema, object, seed)).toEqual(texts(answer.causes ?? []));
    }
    expect(faulty).toBeGreaterThan(500);
  });

  it('takes the same texts for formats', LIMIT, async () => {
    const random = new SeededRandom(5);
    for (const format of FORMATS) {
      const schema = { type: 'object', properties: { spec: { type: 'string', format } } };
      for (const text of [...FORMAT_TEXTS, ...Array.from({ length: 60 }, () => misspell(random.pick(FORMAT_TEXTS), random))]) {
        const answer = await oracle.ask({ op: 'validate', schema, object: { spec: text } });
        expect(texts(validateCustomObject({ spec: text }, parseStructural(schema))), `${format} ${text}`).toEqual(
          texts(answer.causes ?? []),
        );
      }
    }
  });
});

const FORMATS =
  'byte cidr date date-time duration email hexcolor hostname ipv4 ipv6 k8s-long-name k8s-short-name mac uri uuid uuid3 uuid4 uuid5'.split(
    ' ',
  );
const FORMAT_TEXTS = (
  '10.0.0.1 010.0.0.1 1.2.3 ::1 fe80::1:2 1:2:3:4:5:6:7:8 ::ffff:1.2.3.4 :: 10.0.0.0/8 fe80::/10 2024-02-29 2023-02-29 ' +
  '2024-02-29T10:11:12Z 2024-02-29t10:11:12.5+01:00 5m 1h30m 1.5h -3s .5s 1week 123e4567-e89b-42d3-a456-426614174000 example.com ' +
  'a-b.example.com a_b é.com aGk= aGVsbG8h 00:00:5e:00:53:01 0000.5e00.5301 https://example.com/a?b /a mailto:x http://[::1]:80/ ' +
  'http://a:80/ a..b x@y.z "q"@y.z #fff #GGG 1.2.3.4/32'
).split(' ');

/** A text with a letter too few or too many. */
function misspell(text: string, random: SeededRandom): string {
  const letters = text.split('');
  const at = random.below(letters.length);
  if (random.chance(0.5)) letters.splice(at, 1);
  else letters.splice(at, 0, random.pick('0123456789abcdef:.-/ TZ@#'.split('')));
  return letters.join('');
}

function makeCase(seed: number, fit: number): { schema: JsonObject; object: JsonObject } {
  const maker = new SchemaMaker(new SeededRandom(seed * 104_729));
  const schema = maker.makeKind();
  return { schema, object: maker.makeObject(schema, fit) };
}

function describeCase(schema: JsonObject, object: JsonObject, seed: number): string {
  return `seed ${seed}\nschema: ${JSON.stringify(schema)}\nobject: ${JSON.stringify(object)}`;
}

function expectObject(own: JsonObject, answer: JsonObject | undefined, describe: () => string): void {
  if (!jsonEquals(own, answer)) expect(own, describe()).toEqual(answer);
}

/** Go visits fields in any order, so the order of faults says nothing. */
function texts(errors: readonly (FieldError | OracleCause)[]): string[] {
  return errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort();
}

/** What is wrong with a pattern each engine says in its own words. */
function withoutEngine({ reason, field, message }: FieldError | OracleCause): OracleCause {
  return { reason, field, message: message.replace(/(must be a valid regular expression, but isn't): .*/, '$1') };
}
