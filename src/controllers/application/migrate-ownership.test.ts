import { describe, expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../objects/index.ts';
import { planMigration } from './migrate-ownership.ts';

const entry = (manager: string, operation: 'Apply' | 'Update', fields: object, more: object = {}): ManagedFieldsEntry =>
  ({ manager, operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields, ...more }) as ManagedFieldsEntry;

describe('Fields that a client applied', () => {
  it('become ours, together with those that are ours', () => {
    const others = [
      entry('someone', 'Update', { 'f:data': { 'f:c': {} } }),
      entry('kubectl-client-side-apply', 'Update', {}, { subresource: 'status' }),
    ];
    const entries = [
      entry('kubectl-client-side-apply', 'Update', { 'f:data': { 'f:a': {} } }),
      ...others,
      entry('argocd-controller', 'Apply', { 'f:data': { 'f:b': {} } }),
    ];
    expect(planMigration(entries, 'kubectl-client-side-apply')).toEqual([
      ...others,
      entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } }),
    ]);
  });

  it('are left where nobody of that name has any', () => {
    expect(
      planMigration([entry('someone', 'Update', {}), entry('argocd-controller', 'Apply', {})], 'kubectl-client-side-apply'),
    ).toBeUndefined();
    expect(planMigration([], 'helm')).toBeUndefined();
  });
});
