import { describe, expect, it } from 'vitest';
import { isJsonArray } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { builtinSchema } from '../schema/index.ts';
import { equalIgnoringFieldTimes } from './equal-ignoring-field-times.ts';
import { managedFieldsOf, withManagedFields } from './managed-fields.ts';
import { resetFieldsOf, restoreFields } from './reset-fields.ts';
import { parentManagedFields, scaleManagedFields } from './scale-owners.ts';
import { trackUpdate } from './track-update.ts';

const NOW = Date.UTC(2024, 4, 1, 12);
const schema = builtinSchema('v1', 'ConfigMap');

function configMap(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', uid: 'u', ...metadata }, data };
}

/** Writes as a manager does, and gives what would be stored. */
function write(before: JsonObject | undefined, after: JsonObject, manager: string, nowMs = NOW): JsonObject {
  return withManagedFields(after, trackUpdate({ before, after, manager, nowMs, schema, isBuiltin: true }));
}

function owners(object: JsonObject): string[] {
  const entries = managedFieldsOf(object);
  return (isJsonArray(entries) ? entries : []).map(
    (entry) => `${String((entry as JsonObject)['manager'])} ${JSON.stringify((entry as JsonObject)['fieldsV1'])}`,
  );
}

const created = write(undefined, configMap({ a: '1', b: '1' }), 'one');

describe('tracking an update', () => {
  it('gives what was created to its maker', () => {
    expect(owners(created)).toEqual(['one {"f:data":{".":{},"f:a":{},"f:b":{}}}']);
  });

  it('moves what changed, and leaves the rest', () => {
    const changed = write(created, configMap({ a: '2', b: '1' }), 'two', NOW + 1_000);
    expect(owners(changed)).toEqual(['one {"f:data":{".":{},"f:b":{}}}', 'two {"f:data":{"f:a":{}}}']);
  });

  it('drops owners of what is gone, and managers that own nothing any more', () => {
    expect(owners(write(created, configMap({}), 'two', NOW + 1_000))).toEqual(['one {"f:data":{}}']);
  });

  it('changes no time where nothing changed', () => {
    expect(write(created, configMap({ a: '1', b: '1' }), 'two', NOW + 60_000)).toEqual(created);
  });

  it('calls a manager without a name unknown', () => {
    expect(owners(write(undefined, configMap({ a: '1' }), ''))[0]).toContain('unknown ');
  });

  it.each([[[]], [[{}]]])('starts anew when given %j, and then records nothing until someone applies', (managedFields) => {
    const reset = write(created, configMap({ a: '2' }, { managedFields }), 'two');
    expect(managedFieldsOf(reset)).toBeUndefined();
    expect(managedFieldsOf(write(reset, configMap({ a: '3' }), 'two'))).toBeUndefined();
  });

  it('takes the owners that an update carries, but not through a subresource', () => {
    const entry = {
      manager: 'three',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2024-05-01T12:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    };
    const after = configMap({ a: '1', b: '1' }, { managedFields: [entry] });
    expect(owners(write(created, after, 'two'))).toEqual(['three {"f:data":{"f:a":{}}}']);
    const viaStatus = trackUpdate({ before: created, after, manager: 'two', nowMs: NOW, schema, subresource: 'status' });
    expect(viaStatus.map(({ manager }) => manager)).toEqual(['one']);
  });

  it('puts the oldest of more than ten updaters together', () => {
    let object = write(undefined, configMap({ k0: '' }), 'm0');
    for (let index = 1; index <= 12; index++) {
      const data = Object.fromEntries(Array.from({ length: index + 1 }, (_, key) => [`k${key}`, '']));
      object = write(object, configMap(data), `m${index}`, NOW + index * 1_000);
    }
    expect(owners(object)).toHaveLength(10);
    expect(owners(object)[0]).toBe('ancient-changes {"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{},"f:k3":{}}}');
  });

  it('loses the owners of a list that cannot be tracked, and nothing else', () => {
    const pod = builtinSchema('v1', 'Pod');
    const after = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [null] } };
    expect(trackUpdate({ before: undefined, after, manager: 'one', nowMs: NOW, schema: pod })).toEqual([]);
  });
});

describe('writes that change nothing but times', () => {
  it('are told from others', () => {
    const later = withManagedFields(
      created,
      trackUpdate({ before: undefined, after: configMap({ a: '1', b: '1' }), manager: 'one', nowMs: NOW + 60_000, schema }),
    );
    expect(later).not.toEqual(created);
    expect(equalIgnoringFieldTimes(created, later)).toBe(true);
    expect(equalIgnoringFieldTimes(created, write(created, configMap({ a: '2' }), 'one'))).toBe(false);
  });
});

describe('fields that an endpoint resets', () => {
  it.each([
    ['apps', 'Deployment', undefined, [['status']]],
    ['apps', 'Deployment', 'status', [['spec'], ['metadata', 'labels']]],
    ['batch', 'Job', 'status', [['spec']]],
    ['storage.k8s.io', 'VolumeAttachment', 'status', [['metadata'], ['spec']]],
    ['apps', 'Deployment', 'scale', []],
  ])('are known for %s %s %s', (group, kind, subresource, expected) => {
    expect(resetFieldsOf({ group, kind, subresource, hasStatus: true, isCustom: false })).toEqual(expected);
  });

  it('come back as they were, with the new owners', () => {
    const before = { metadata: { name: 'a', labels: { x: '1' }, managedFields: [1] }, spec: { a: 1 }, status: { ok: false } };
    const after = { metadata: { name: 'a', labels: { x: '2' }, managedFields: [2] }, status: { ok: true } };
    expect(restoreFields(before, after, [['metadata'], ['spec']])).toEqual({
      metadata: { name: 'a', labels: { x: '1' }, managedFields: [2] },
      spec: { a: 1 },
      status: { ok: true },
    });
    expect(restoreFields(before, after, [['metadata', 'labels']])).toMatchObject({ metadata: { labels: { x: '1' } } });
    expect(restoreFields({}, after, [['status']])).not.toHaveProperty('status');
  });
});

describe('owners of a scale', () => {
  const replicas = new Map([['apps/v1', ['spec', 'replicas']]]);
  const parent = [
    {
      manager: 'ci',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } },
    },
  ];

  it('are those of the replicas, and take them from the object', () => {
    expect(scaleManagedFields(parent, replicas)).toEqual([
      {
        manager: 'ci',
        operation: 'Apply',
        apiVersion: 'autoscaling/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
    ]);
    const scaleEntries = [
      {
        manager: 'hpa',
        operation: 'Update',
        apiVersion: 'autoscaling/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ];
    const after = parentManagedFields({ parentEntries: parent, scaleEntries, apiVersion: 'apps/v1', replicas });
    expect(after.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1])).toEqual([
      ['ci', 'apps/v1', { 'f:spec': { 'f:paused': {} } }],
      ['hpa', 'apps/v1', { 'f:spec': { 'f:replicas': {} } }],
    ]);
  });
});
