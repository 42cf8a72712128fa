import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  StatusError,
  applyServerSide,
  builtinResources,
  builtinSchema,
  jsonEquals,
  resetFieldsOf,
  trackUpdate,
  withManagedFields,
} from '../../src/objects/index.ts';
import type { JsonObject, Schema } from '../../src/objects/index.ts';
import { ApplyOracle } from '../support/apply-oracle.ts';
import type { OracleAnswer, OracleCause } from '../support/apply-oracle.ts';
import { ObjectMaker } from '../support/object-maker.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const STEPS = 12;
const MANAGERS = ['alpha', 'beta', 'gamma', 'kubectl'];
/** Groups whose kinds the client library does not have. */
const NOT_IN_CLIENT = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

interface Kind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
}

describeWithTool('apply-oracle', 'server-side apply, beside the packages of the API server', (tool) => {
  let oracle: ApplyOracle;
  beforeAll(() => {
    oracle = new ApplyOracle(tool());
  });
  afterAll(() => oracle.stop());

  it.each([
    ['v1', 'ConfigMap', 30],
    ['v1', 'Service', 60],
    ['apps/v1', 'Deployment', 80],
    ['v1', 'Pod', 60],
  ])('agrees on %s %s', { timeout: 120_000 }, async (apiVersion, kind, sequences) => {
    for (let seed = 1; seed <= sequences; seed++) await runSequence(oracle, requireKind(apiVersion, kind), seed);
  });

  it('agrees on every built-in kind', { timeout: 240_000 }, async () => {
    for (const kind of builtinKinds()) for (let seed = 1; seed <= 3; seed++) await runSequence(oracle, kind, seed);
  });

  it('agrees on a kind without a schema', { timeout: 60_000 }, async () => {
    const kind = {
      group: 'free.example.com',
      apiVersion: 'free.example.com/v1',
      kind: 'Free',
      schema: requireKind('v1', 'Service').schema,
      hasStatus: false,
    };
    for (let seed = 1; seed <= 40; seed++) await runSequence(oracle, { ...kind, free: true }, seed);
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

/** Several managers apply to and update one object; after each step both sides must have the same object, owners and conflicts. */
async function runSequence(
  oracle: ApplyOracle,
  kind: Kind & { readonly free?: boolean; readonly crd?: JsonObject },
  seed: number,
): Promise<void> {
  const random = new SeededRandom(seed * 7919);
  const maker = new ObjectMaker(kind.schema, random);
  let live: JsonObject | undefined;
  const history: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    const fresh = maker.make({ apiVersion: kind.apiVersion, kind: kind.kind, name: 'thing' });
    const op = random.chance(0.65) ? 'apply' : 'update';
    const subresource = live !== undefined && kind.hasStatus && random.chance(0.25) ? 'status' : undefined;
    const resetFields = resetFieldsOf({ group: kind.group, kind: kind.kind, subresource, hasStatus: kind.hasStatus, isCustom: false });
    const object = op === 'apply' || live === undefined ? fresh : asObject(maker.mix(live, fresh));
    const manager = random.pick(MANAGERS);
    const force = random.chance(0.4);
    const nowMs = Date.UTC(2020, 0, 1, 0, 0, step);
    const common = { manager, resetFields, ...(subresource !== undefined && { subresource }) };
    const answer = await oracle.ask({
      op,
      ...(live && { live }),
      object,
      force,
      ...common,
      now: new Date(nowMs).toISOString(),
      ...(kind.crd && { crd: kind.crd }),
    });
    const typing = { ...common, nowMs, schema: kind.free === true ? undefined : kind.schema, isBuiltin: kind.crd === undefined };
    history.push(JSON.stringify({ op, force, ...common, object }));
    const own = op === 'apply' ? ownApply(live, object, force, typing) : { object: ownUpdate(live, object, typing) };
    const where = () => `${kind.apiVersion} ${kind.kind}, seed ${seed}, step ${step}\nlive: ${JSON.stringify(live)}\n${history.join('\n')}`;
    expectSame(own, answer, where);
    live = nextLive(answer, live, random);
  }
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
