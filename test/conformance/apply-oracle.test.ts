import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  StatusError,
  applyServerSide,
  builtinResources,
  builtinSchema,
  completeCustomSchema,
  jsonEquals,
  parseStructural,
  resetFieldsOf,
  trackUpdate,
  withManagedFields,
} from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/objects/index.ts';
import { ApplyOracle } from '../support/apply-oracle.ts';
import type { OracleAnswer, OracleCause } from '../support/apply-oracle.ts';
import { ObjectMaker } from '../support/object-maker.ts';
import { SchemaMaker } from '../support/schema-maker.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const STEPS = 12;
const LIMIT = { timeout: 240_000 };
const MANAGERS = ['alpha', 'beta', 'gamma', 'kubectl'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Groups whose kinds the client library does not have. */
const NOT_IN_CLIENT = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

interface Kind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
}

/** `free` leaves the schema out of the question; `crd` is where a custom kind's schema comes from. */
interface CheckedKind extends Kind {
  readonly free?: boolean;
  readonly crd?: JsonObject;
  readonly steps?: number;
  readonly managers?: readonly string[];
  readonly versions?: readonly string[];
  /** How often someone applies instead of updating. */
  readonly applies?: number;
  /** Makes the objects, where the schema shall not. */
  readonly makeObject?: (random: SeededRandom) => JsonObject;
  /** The same kind with another schema, from half of the steps on. */
  readonly later?: CheckedKind;
}

describeWithTool('apply-oracle', 'server-side apply, beside the packages of the API server', (tool) => {
  let oracle: ApplyOracle;
  beforeAll(() => {
    oracle = new ApplyOracle(tool());
  });
  afterAll(() => oracle.stop());

  it.each([
    ['v1', 'ConfigMap', 40],
    ['v1', 'Service', 60],
    ['apps/v1', 'Deployment', 80],
    ['v1', 'Pod', 60],
  ])('agrees on %s %s', LIMIT, async (apiVersion, kind, sequences) => {
    const tally = { ...EMPTY_TALLY };
    for (let seed = 1; seed <= sequences; seed++) await runSequence(oracle, requireKind(apiVersion, kind), seed, tally);
    for (const times of [tally.applied, tally.updated, tally.conflicts]) expect(times, JSON.stringify(tally)).toBeGreaterThan(sequences);
  });

  it('agrees on many managers, of whom the oldest are put together', LIMIT, async () => {
    const managers = Array.from({ length: 15 }, (_, index) => `updater-${index}`);
    for (let seed = 1; seed <= 15; seed++)
      await runSequence(oracle, { ...requireKind('v1', 'Service'), managers, steps: 40, applies: 0.1 }, seed);
  });

  it('agrees on every built-in kind', LIMIT, async () => {
    for (const kind of builtinKinds()) for (let seed = 1; seed <= 3; seed++) await runSequence(oracle, kind, seed);
  });

  it('agrees on a kind without a schema, in one version and in two', LIMIT, async () => {
    const kind = {
      group: 'free.example.com',
      apiVersion: 'free.example.com/v1',
      kind: 'Free',
      schema: requireKind('v1', 'Service').schema,
      hasStatus: false,
    };
    const versions = ['free.example.com/v1', 'free.example.com/v2'];
    for (let seed = 1; seed <= 60; seed++) await runSequence(oracle, { ...kind, free: true, ...(seed % 2 === 0 && { versions }) }, seed);
  });

  it('agrees on the order of lists', LIMIT, async () => {
    const kind = requireKind('apps/v1', 'Deployment');
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const makeObject = (random: SeededRandom): JsonObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'thing', namespace: 'space', finalizers: random.sample(names, random.below(8)) },
      spec: { template: { spec: { containers: random.sample(names, random.below(8)).map((name) => ({ name })) } } },
    });
    for (let seed = 1; seed <= 150; seed++) await runSequence(oracle, { ...kind, hasStatus: false, makeObject }, seed);
  });

  it('agrees on owners from before a schema changed', LIMIT, async () => {
    for (let seed = 1; seed <= 80; seed++) {
      const { kind, later } = changingKind(seed);
      await runSequence(oracle, { ...kind, later }, seed);
    }
  });

  it('agrees on custom kinds', LIMIT, async () => {
    for (let seed = 1; seed <= 150; seed++) await runSequence(oracle, customKind(seed), seed);
  });
});

function builtinKinds(): Kind[] {
  return builtinResources
    .filter(({ group, verbs }) => verbs.includes('patch') && !NOT_IN_CLIENT.has(group))
    .map(({ group, version, kind }) => requireKind(group === '' ? version : `${group}/${version}`, kind));
}

function requireKind(apiVersion: string, kind: string): Kind {
  const schema = builtinSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`there is no schema of ${apiVersion} ${kind}`);
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return { group, apiVersion, kind, schema, hasStatus: schema.properties?.has('status') ?? false };
}

/** A kind with a random schema. */
function customKind(seed: number): CheckedKind {
  return kindWith(new SchemaMaker(new SeededRandom(seed * 15_485_863)).makeKind());
}

/** A kind with a random schema, and the same kind when parts of it have become atomic. */
function changingKind(seed: number): { kind: CheckedKind; later: CheckedKind } {
  const random = new SeededRandom(seed * 15_485_863);
  const schema = new SchemaMaker(random).makeKind();
  const properties = asObject(schema['properties']);
  return {
    kind: kindWith(schema),
    later: kindWith({ ...schema, properties: { ...properties, spec: makeAtomic(asObject(properties['spec']), random) } }),
  };
}

/** The schema with some of its granular objects and lists made atomic. */
function makeAtomic(node: JsonObject, random: SeededRandom): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, JsonValue] => {
    if (key === 'properties')
      return [key, Object.fromEntries(Object.entries(asObject(value)).map(([name, child]) => [name, makeAtomic(asObject(child), random)]))];
    return [key, key === 'items' || (key === 'additionalProperties' && value !== true) ? makeAtomic(asObject(value), random) : value];
  });
  const changed = Object.fromEntries(entries);
  if (node['type'] === 'object' && random.chance(0.3)) return { ...changed, 'x-kubernetes-map-type': 'atomic' };
  if (node['type'] !== 'array' || random.chance(0.5)) return changed;
  const { 'x-kubernetes-list-map-keys': _keys, ...list } = changed;
  return { ...list, 'x-kubernetes-list-type': 'atomic' };
}

function kindWith(openAPIV3Schema: JsonObject): CheckedKind {
  const names = { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  };
  const metadata = requireKind('v1', 'ConfigMap').schema.properties?.get('metadata') ?? {};
  const schema = completeCustomSchema(parseStructural(openAPIV3Schema), metadata);
  return { group: 'example.com', apiVersion: 'example.com/v1', kind: 'Thing', schema, hasStatus: true, crd };
}

/** What a run met: a test that meets no conflict proves nothing about conflicts. */
interface Tally {
  applied: number;
  updated: number;
  conflicts: number;
  refused: number;
}

/** Several managers apply to and update one object; after each step both sides must have the same object, owners and conflicts. */
async function runSequence(oracle: ApplyOracle, first: CheckedKind, seed: number, tally: Tally = { ...EMPTY_TALLY }): Promise<Tally> {
  const random = new SeededRandom(seed * 7919);
  const maker = new ObjectMaker(first.schema, random);
  let live: JsonObject | undefined;
  const history: string[] = [];
  for (let step = 0; step < (first.steps ?? STEPS); step++) {
    const kind = first.later !== undefined && step >= STEPS / 2 ? first.later : first;
    const apiVersion = random.pick(kind.versions ?? [kind.apiVersion]);
    if (live !== undefined) live = { ...live, apiVersion };
    const { op, object, options } = planStep(kind, maker, random, live, apiVersion);
    const { force, ...common } = options;
    const nowMs = Date.UTC(2020, 0, 1, 0, 0, step);
    const typing = { ...common, nowMs, schema: kind.free === true ? undefined : kind.schema, isBuiltin: kind.crd === undefined };
    history.push(JSON.stringify({ op, ...options, object }));
    const request = { op, ...(live && { live }), object, ...options, ...(kind.crd && { crd: kind.crd }) };
    const answer = await oracle.ask({ ...request, now: new Date(nowMs).toISOString() });
    const own = op === 'apply' ? ownApply(live, object, force, typing) : { object: ownUpdate(live, object, typing) };
    const where = () => `${apiVersion} ${kind.kind}, seed ${seed}, step ${step}\nlive: ${JSON.stringify(live)}\n${history.join('\n')}`;
    if (!isIllInside(own, answer)) expectSame(own, answer, where);
    count(tally, op, answer);
    live = nextLive(answer, live, random);
  }
  return tally;
}

const EMPTY_TALLY: Tally = { applied: 0, updated: 0, conflicts: 0, refused: 0 };

function count(tally: Tally, op: 'apply' | 'update', { failure }: OracleAnswer): void {
  if (failure?.code === 409) tally.conflicts++;
  else if (failure !== undefined) tally.refused++;
  else if (op === 'apply') tally.applied++;
  else tally.updated++;
}

interface Step {
  readonly op: 'apply' | 'update';
  readonly object: JsonObject;
  readonly options: {
    readonly manager: string;
    readonly force: boolean;
    readonly subresource?: string;
    readonly resetFields: readonly (readonly string[])[];
  };
}

function planStep(kind: CheckedKind, maker: ObjectMaker, random: SeededRandom, live: JsonObject | undefined, apiVersion: string): Step {
  const fresh = kind.makeObject?.(random) ?? maker.make({ apiVersion, kind: kind.kind, name: 'thing' });
  const op = random.chance(kind.applies ?? 0.65) ? 'apply' : 'update';
  const subresource = live !== undefined && kind.hasStatus && random.chance(0.25) ? 'status' : undefined;
  const resetFields = resetFieldsOf({
    group: kind.group,
    kind: kind.kind,
    subresource,
    hasStatus: kind.hasStatus,
    isCustom: kind.crd !== undefined,
  });
  const object = op === 'apply' ? fresh : changeObject(live === undefined ? fresh : asObject(maker.mix(live, fresh)), random);
  const manager = random.pick(kind.managers ?? MANAGERS);
  return { op, object, options: { manager, force: random.chance(0.4), resetFields, ...(subresource !== undefined && { subresource }) } };
}

/** What clients do beside changing fields: kubectl leaves its annotation, and some take the owners away. */
function changeObject(object: JsonObject, random: SeededRandom): JsonObject {
  const { managedFields, ...metadata } = asObject(object['metadata']);
  if (random.chance(0.3)) {
    const annotations = metadata['annotations'] ?? {};
    const { uid: _uid, ...named } = metadata;
    const text = JSON.stringify({ ...object, metadata: named });
    return {
      ...object,
      metadata: {
        ...asObject({ ...metadata, ...(managedFields !== undefined && { managedFields }) }),
        annotations: { ...asObject(annotations), [LAST_APPLIED]: text },
      },
    };
  }
  if (random.chance(0.05)) return { ...object, metadata: { ...metadata, managedFields: random.chance(0.5) ? [] : [{}] } };
  return object;
}

type Typing = Pick<Parameters<typeof trackUpdate>[0], 'manager' | 'nowMs' | 'schema' | 'isBuiltin' | 'subresource' | 'resetFields'>;

function ownApply(live: JsonObject | undefined, config: JsonObject, force: boolean, typing: Typing): OracleAnswer {
  try {
    const { object, managedFields } = applyServerSide({ live, config, force, ...typing });
    return { object: withManagedFields(object, managedFields) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { failure: { message: error.message, code: error.code, reason: error.reason, causes: causesOf(error) } };
  }
}

function causesOf({ status }: StatusError): OracleCause[] {
  return (status.details?.causes ?? []).map(({ reason = '', message = '', field = '' }) => ({ reason, message, field }));
}

function ownUpdate(before: JsonObject | undefined, after: JsonObject, typing: Typing): JsonObject {
  return withManagedFields(after, trackUpdate({ before, after, ...typing }));
}

/**
 * The API server gives up on stored objects whose lists lack keys, also inside what it treats as one piece. Validation never lets such
 * objects in; here they are made by chance, and we may go on.
 */
function isIllInside(own: OracleAnswer, { failure }: OracleAnswer): boolean {
  const message = failure?.message ?? '';
  return own.failure === undefined && /to smd typed: |typed live object/.test(message) && /associative list|: expected/.test(message);
}

function expectSame(own: OracleAnswer, answer: OracleAnswer, where: () => string): void {
  if (answer.failure !== undefined) {
    if (own.failure === undefined) throw new Error(`the API server refuses: ${answer.failure.message}\n${where()}`);
    // Fields of a Go map come in any order, so one problem of several may be another one.
    const isSeveral = answer.failure.code === 500 && /errors:|field not declared/.test(answer.failure.message);
    expect(own.failure.code, where()).toBe(answer.failure.code);
    expect(own.failure.reason, where()).toBe(answer.failure.reason);
    if (!isSeveral) expect(own.failure.message, where()).toBe(answer.failure.message);
    expect(sorted(own.failure.causes), where()).toEqual(sorted(answer.failure.causes));
    return;
  }
  if (own.failure !== undefined) throw new Error(`we refuse: ${own.failure.message}\n${where()}`);
  if (jsonEquals(own.object, answer.object)) return;
  expect(own.object, where()).toEqual(answer.object);
  throw new Error(`the objects differ: ${JSON.stringify(own.object)}\n${JSON.stringify(answer.object)}\n${where()}`);
}

function sorted(causes: OracleAnswer['causes'] | null): string[] {
  return (causes ?? []).map((cause) => JSON.stringify([cause.reason, cause.message, cause.field])).sort();
}

/** The server gives a new object its uid; now and then someone takes its owners away. */
function nextLive({ object }: OracleAnswer, live: JsonObject | undefined, random: SeededRandom): JsonObject | undefined {
  if (object === undefined) return live;
  const metadata = asObject(object['metadata']);
  const { managedFields: _managedFields, ...others } = metadata;
  const kept = random.chance(0.04) ? others : metadata;
  return { ...object, metadata: { ...kept, uid: 'd2c1f5a4-0000-4000-8000-000000000001' } };
}

function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as JsonObject;
}
