import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { compareObject } from './compare-object.ts';
import { defaultCompareRules } from './compare-rules.ts';
import type { IgnoreRule } from './compare-rules.ts';
import { respectIgnoredDifferences } from './respect-ignored-differences.ts';
import { needsManagedFields } from './owned-fields.ts';

const ignore: readonly IgnoreRule[] = [{ group: 'apps', kind: 'Deployment', managedFieldsManagers: ['autoscaler'] }];
const deployment = (
  replicas: number,
  image = 'a:1',
  manager = 'autoscaler',
  fields: JsonObject = { 'f:spec': { 'f:replicas': {} } },
): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'a',
    managedFields: [{ manager, operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: fields }],
  },
  spec: { replicas, template: { spec: { containers: [{ name: 'c', image }] } } },
});
const isModified = (live: KubeObject, desired = deployment(1)) =>
  compareObject({ desired: { ...desired, metadata: { name: 'a' } }, live, rules: { ...defaultCompareRules, ignore } }).modified;

describe('Fields of managers that do not count', () => {
  it('are left out where they differ, and no others are', () => {
    expect(isModified(deployment(5))).toBe(false);
    expect(isModified(deployment(5, 'a:1', 'somebody'))).toBe(true);
    expect(isModified(deployment(5, 'a:2'))).toBe(true);
  });

  it('may be in an element of a list', () => {
    const fields = { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:image': {} } } } } } };
    expect(isModified(deployment(1, 'a:2', 'autoscaler', fields))).toBe(false);
    expect(isModified(deployment(2, 'a:2', 'autoscaler', fields))).toBe(true);
  });

  it('count where the record cannot be read', () => {
    expect(isModified(deployment(5, 'a:1', 'autoscaler', { 'f:spec': 'nonsense' } as JsonObject))).toBe(true);
  });

  it('are asked for only where a rule names a manager', () => {
    expect(needsManagedFields(deployment(1), { ignore })).toBe(true);
    expect(needsManagedFields(deployment(1), { ignore: [] })).toBe(false);
  });
});

describe('A sync that respects ignored differences', () => {
  const rules = {
    ignore: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas', '/spec/none', '/status', '/metadata/labels/team'] }],
  };

  it('takes the live values, but never a status', () => {
    const live: KubeObject = { ...deployment(5), metadata: { name: 'a', labels: { team: 'x' } }, status: { replicas: 5 } };
    const result = respectIgnoredDifferences({ ...deployment(1), metadata: { name: 'a' } }, live, rules);
    expect(result).toMatchObject({ metadata: { labels: { team: 'x' } }, spec: { replicas: 5 } });
    expect(result['status']).toBeUndefined();
  });

  it('takes what belongs to a manager, also in an element of a list, and nothing of anybody else', () => {
    const fields = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:team': {} } },
      'f:spec': { 'f:replicas': {}, 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:image': {} } } } } },
      'f:status': { 'f:replicas': {} },
    };
    const { metadata, ...rest } = deployment(5, 'a:9', 'autoscaler', fields);
    const live: KubeObject = { ...rest, metadata: { ...metadata, labels: { team: 'x', other: 'y' } }, status: { replicas: 5 } };
    const desired: KubeObject = { ...deployment(1), metadata: { name: 'a' } };
    expect(respectIgnoredDifferences(desired, live, { ignore })).toEqual({
      ...deployment(5, 'a:9'),
      metadata: { name: 'a', labels: { team: 'x' } },
    });
    const theirs = {
      ...live,
      metadata: { ...live.metadata, managedFields: deployment(1, '', 'somebody', fields).metadata.managedFields ?? [] },
    };
    expect(respectIgnoredDifferences(desired, theirs, { ignore })).toEqual(desired);
  });

  it('takes the value of a Secret that is desired in plain', () => {
    const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const owners = [{ manager: 'rotator', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:pw': {} } } }];
    const live = { ...secret, metadata: { name: 'a', managedFields: owners }, data: { pw: 'bmV3', user: 'bWU=' } } as unknown as KubeObject;
    const desired = { ...secret, stringData: { pw: 'old', user: 'you' } };
    const rule = { group: '', kind: 'Secret', managedFieldsManagers: ['rotator'] };
    expect(respectIgnoredDifferences(desired, live, { ignore: [rule] })).toEqual({ ...secret, data: { pw: 'bmV3', user: 'eW91' } });
    expect(respectIgnoredDifferences(desired, live, { ignore: [] })).toBe(desired);
  });

  it('changes nothing where there is nothing live', () => {
    const desired = deployment(1);
    expect(respectIgnoredDifferences(desired, undefined, rules)).toBe(desired);
  });
});
