import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import { builtinSchema } from '../schema/index.ts';
import { StatusError } from '../status-error.ts';
import { ApplyConflict } from './apply-conflict.ts';
import { applyServerSide } from './apply-server-side.ts';
import type { ApplyRequest } from './apply-server-side.ts';
import { withManagedFields } from './managed-fields.ts';
import { trackUpdate } from './track-update.ts';

const NOW = Date.UTC(2024, 4, 1, 12);
const LATER = NOW + 60_000;

function deployment(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop', ...metadata }, spec };
}

function containers(...items: JsonObject[]): JsonObject {
  return { template: { spec: { containers: items } } };
}

type Options = Partial<ApplyRequest> & Pick<ApplyRequest, 'live' | 'config' | 'manager'>;

/** Applies to a Deployment and gives the object as it would be stored. */
function apply(options: Options): JsonObject {
  const { object, managedFields } = applyServerSide({
    nowMs: NOW,
    schema: builtinSchema('apps/v1', 'Deployment'),
    isBuiltin: true,
    ...options,
  });
  return withManagedFields(object, managedFields);
}

function refusal(options: Options): StatusError {
  try {
    apply(options);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function entries(object: JsonObject): JsonObject[] {
  return ((object['metadata'] as JsonObject)['managedFields'] ?? []) as unknown as JsonObject[];
}

const replicas3 = deployment({ replicas: 3 });

describe('apply', () => {
  it('creates an object that its manager owns, but for what names it', () => {
    const created = apply({
      live: undefined,
      config: deployment({ replicas: 3, ...containers({ name: 'a', image: 'x' }) }, { labels: { app: 'web' } }),
      manager: 'ci',
    });
    expect(entries(created)).toEqual([
      {
        manager: 'ci',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2024-05-01T12:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:app': {} } },
          'f:spec': {
            'f:replicas': {},
            'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:name': {} } } } },
          },
        },
      },
    ]);
  });

  it('removes what the manager no longer applies, and keeps what others own', () => {
    const first = apply({
      live: undefined,
      config: deployment({ replicas: 3, paused: true }, { labels: { a: '1', b: '1' } }),
      manager: 'ci',
    });
    const second = apply({ live: first, config: deployment({ paused: true }, { labels: { b: '1' } }), manager: 'ops' });
    const third = apply({ live: second, config: deployment({}), manager: 'ci' });
    expect(third['spec']).toEqual({ paused: true });
    expect(third['metadata']).toMatchObject({ labels: { b: '1' } });
  });

  it('refuses to change what another manager owns, in the words of the API server', () => {
    const live = apply({ live: undefined, config: replicas3, manager: 'ci' });
    const error = refusal({ live, config: deployment({ replicas: 5 }), manager: 'ops' });
    expect(error).toBeInstanceOf(ApplyConflict);
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "ci": .spec.replicas');
    expect(error.status).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "ci"', field: '.spec.replicas' }] },
    });
  });

  it('lists several conflicts by manager, with the version of updaters', () => {
    const created = deployment({ replicas: 1, paused: true, ...containers({ name: 'a', image: 'x' }) });
    const live = withManagedFields(
      created,
      trackUpdate({ before: undefined, after: created, manager: 'web-ui', nowMs: NOW, schema: builtinSchema('apps/v1', 'Deployment') }),
    );
    const error = refusal({ live, config: deployment({ replicas: 2, ...containers({ name: 'a', image: 'y' }) }), manager: 'ci' });
    expect(error.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "web-ui" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name="a"].image',
    );
  });

  it('shares what two managers apply with the same value', () => {
    const live = apply({ live: undefined, config: replicas3, manager: 'ci' });
    const shared = apply({ live, config: replicas3, manager: 'ops', nowMs: LATER });
    expect(entries(shared).map(({ manager, time }) => [manager, time])).toEqual([
      ['ops', undefined],
      ['ci', '2024-05-01T12:00:00Z'],
    ]);
  });

  it('takes over with force', () => {
    const live = apply({ live: undefined, config: replicas3, manager: 'ci' });
    const taken = apply({ live, config: deployment({ replicas: 5 }), manager: 'ops', force: true });
    expect(taken['spec']).toEqual({ replicas: 5 });
    expect(entries(taken).map(({ manager }) => manager)).toEqual(['ops']);
  });

  it('keeps the time of an apply that changes nothing', () => {
    const live = apply({ live: undefined, config: replicas3, manager: 'ci' });
    expect(apply({ live, config: replicas3, manager: 'ci', nowMs: LATER })).toEqual(live);
  });

  it('lets an object without owners belong to whoever made it before', () => {
    const applied = apply({ live: deployment({ replicas: 1, paused: true }), config: deployment({ paused: true }), manager: 'ci' });
    expect(entries(applied).map(({ manager, operation }) => [manager, operation])).toEqual([
      ['ci', 'Apply'],
      ['before-first-apply', 'Update'],
    ]);
  });

  it('does not own what the endpoint resets', () => {
    const config = { ...replicas3, status: { replicas: 9 } };
    const applied = apply({ live: undefined, config, manager: 'ci', resetFields: [['status']] });
    expect(Object.keys(entries(applied)[0]?.['fieldsV1'] ?? {})).toEqual(['f:spec']);
  });

  it('keeps entries of subresources apart', () => {
    const live = apply({ live: undefined, config: replicas3, manager: 'ci' });
    const status = apply({
      live,
      config: { ...deployment({}), status: { replicas: 3 } },
      manager: 'ci',
      subresource: 'status',
      resetFields: [['spec']],
      nowMs: LATER,
    });
    expect(entries(status).map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['ci', undefined],
      ['ci', 'status'],
    ]);
  });

  it.each([
    ['an unknown field', { spec: { size: 3 } }, '.spec.size: field not declared in schema'],
    ['a wrong number', { spec: { replicas: 'three' } }, '.spec.replicas: expected numeric (int or float), got string'],
    ['a wrong text', { metadata: { labels: { a: 1 } } }, '.metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}'],
    ['a wrong boolean', { spec: { paused: 'no' } }, '.spec.paused: expected boolean, got &{no}'],
    [
      'a wrong list',
      { spec: { template: { spec: { containers: { a: 1 } } } } },
      '.spec.template.spec.containers: expected list, got &{map[a:1]}',
    ],
    ['a wrong object', { spec: { strategy: 'Recreate' } }, '.spec.strategy: expected map, got &{Recreate}'],
    [
      'a repeated key',
      { spec: containers({ name: 'a' }, { name: 'a' }) },
      '.spec.template.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'an element that is none',
      { spec: { template: { spec: { containers: [1] } } } },
      '.spec.template.spec.containers: element 0: associative list with keys may not have non-map elements',
    ],
  ])('refuses %s', (_what, part: JsonObject, problem) => {
    const error = refusal({ live: undefined, config: { apiVersion: 'apps/v1', kind: 'Deployment', ...part }, manager: 'ci' });
    expect(error.message).toBe(`failed to create typed patch object (/; apps/v1, Kind=Deployment): ${problem}`);
    expect(error.code).toBe(500);
  });

  it('refuses a configuration with owners or of another kind', () => {
    expect(refusal({ live: undefined, config: deployment({}, { managedFields: [] }), manager: 'ci' }).message).toBe(
      'metadata.managedFields must be nil',
    );
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
    expect(refusal({ live: replicas3, config: other, manager: 'ci' }).message).toBe('invalid object type: /v1, Kind=ConfigMap');
  });

  it('refuses stored owners that cannot be read', () => {
    const live = deployment(
      {},
      { managedFields: [{ manager: 'x', operation: 'Sing', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
    );
    expect(refusal({ live, config: replicas3, manager: 'ci' }).message).toBe(
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    );
  });

  it('treats keys that name prototypes as keys', () => {
    const labels = JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject;
    const applied = apply({ live: undefined, config: deployment({}, { labels }), manager: 'ci' });
    expect(JSON.stringify((applied['metadata'] as JsonObject)['labels'])).toBe('{"__proto__":"1","constructor":"2"}');
    const again = apply({ live: applied, config: deployment({}, { labels: {} }), manager: 'ci' });
    expect((again['metadata'] as JsonObject)['labels']).toBeNull();
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});
