import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  StatusError,
  applyServerSide,
  decodeFieldsV1,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  listFields,
  printPath,
  resetFieldsOf,
  subtractFieldSet,
  trackUpdate,
  withManagedFields,
} from '../../src/objects/index.ts';
import type { FieldPath, FieldSet, JsonObject, JsonValue } from '../../src/objects/index.ts';
import { ApplyOracle } from '../support/apply-oracle.ts';
import type { OracleAnswer, OracleCause } from '../support/apply-oracle.ts';
import { asObject, builtinKinds, changingKind, customKind, requireKind } from '../support/checked-kinds.ts';
import type { CheckedKind, Kind } from '../support/checked-kinds.ts';
import { ObjectMaker } from '../support/object-maker.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const STEPS = 12;
const LIMIT = { timeout: 240_000 };
const MANAGERS = ['alpha', 'beta', 'gamma', 'kubectl'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
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

  it('agrees on what the creator of a built-in object owns', LIMIT, async () => {
    for (const kind of builtinKinds()) for (let seed = 1; seed <= 8; seed++) await runCreate(oracle, kind, seed);
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

/**
 * A create as it is with Go types, where parts of an object are there before anything is set. A value that is the empty one all the same
 * is nobody's then, while we give it to who wrote it.
 */
async function runCreate(oracle: ApplyOracle, { apiVersion, kind, schema }: Kind, seed: number): Promise<void> {
  const object = new ObjectMaker(schema, new SeededRandom(seed * 77)).make({ apiVersion, kind, name: 'thing' });
  const answer = await oracle.ask({ op: 'create', object, manager: 'maker', now: '2020-01-01T00:00:00Z' });
  // Random values do not always fit the Go type.
  if (answer.object === undefined) return;
  const [theirs] = trackedSets(answer.object);
  const after = withManagedFields(answer.object, []);
  const [own] = trackUpdate({
    before: undefined,
    after,
    manager: 'maker',
    nowMs: 0,
    schema,
    isBuiltin: true,
  }).map(({ fieldsV1 }) => decodeFieldsV1(fieldsV1));
  const extra = [...listFields(subtractFieldSet(own ?? new Map(), theirs ?? new Map()))].filter(
    (path) => !isEmptyValue(valueAt(after, path)),
  );
  const missing = [...listFields(subtractFieldSet(theirs ?? new Map(), own ?? new Map()))];
  const where = `${apiVersion} ${kind}, seed ${seed}: ${JSON.stringify(after)}`;
  expect({ extra: extra.map(printPath), missing: missing.map(printPath) }, where).toEqual({ extra: [], missing: [] });
}

function trackedSets(object: JsonObject): FieldSet[] {
  const entries = asObject(object['metadata'])['managedFields'];
  return isJsonArray(entries) ? entries.map((entry) => decodeFieldsV1(asObject(entry)['fieldsV1'])) : [];
}

function valueAt(object: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let value = object;
  for (const element of path) value = element.kind === 'field' && isJsonObject(value) ? value[element.name] : undefined;
  return value;
}

function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return isJsonObject(value) && Object.values(value).every(isEmptyValue);
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
    const typing = {
      ...common,
      nowMs,
      schema: kind.free === true ? undefined : kind.schema,
      isBuiltin: kind.crd === undefined,
      emptyObject: {},
    };
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

type Typing = Pick<
  Parameters<typeof trackUpdate>[0],
  'manager' | 'nowMs' | 'schema' | 'isBuiltin' | 'emptyObject' | 'subresource' | 'resetFields'
>;

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
