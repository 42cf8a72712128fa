import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../model/index.ts';
import { findDisagreements, findWordings } from './find-disagreements.ts';

const resource = (name: string, status = 'Synced', more: object = {}) => ({
  version: 'v1',
  kind: 'ConfigMap',
  namespace: 'work',
  name,
  status,
  ...more,
});
const status = (more: ApplicationStatus = {}): ApplicationStatus => ({
  sync: { status: 'Synced', revision: 'a' },
  health: { status: 'Healthy' },
  resources: [resource('one')],
  ...more,
});
const compare = (ours: ApplicationStatus, theirs: ApplicationStatus, reason = '') =>
  findDisagreements({ ours, theirs, explain: () => reason }).map(({ aspect, subject, reason: why }) => `${aspect} ${subject}: ${why}`);

describe('Two statuses of one application', () => {
  it('agree where they say the same, whenever and in whatever words', () => {
    const condition = (message: string) => ({ conditions: [{ type: 'ComparisonError', message }] });
    expect(compare(status(), status({ reconciledAt: '2026-01-01T00:00:00Z' }))).toEqual([]);
    expect(compare(status(condition('no such path')), status(condition('app path does not exist')))).toEqual([]);
    expect(findWordings(status(condition('a')), status(condition('b')))).toEqual([{ subject: 'ComparisonError', ours: 'a', theirs: 'b' }]);
    expect(findWordings(status(condition('a')), status(condition('a')))).toEqual([]);
  });

  it('disagree about the whole', () => {
    expect(compare(status({ sync: { status: 'OutOfSync', revision: 'a' } }), status())).toEqual(['sync : follows from its resources']);
    expect(compare(status({ health: { status: 'Degraded' } }), status())).toEqual(['health : follows from the health of its resources']);
    expect(compare(status({ sync: { status: 'Synced', revision: 'b' } }), status())).toEqual(['revision : another revision was compared']);
  });

  it('disagree about a resource: its state, its health, its marks, and whether it is there', () => {
    const of = (...resources: readonly object[]): ApplicationStatus =>
      status({ resources: resources as NonNullable<ApplicationStatus['resources']> });
    const subject = '/ConfigMap/work/one';
    expect(compare(of(resource('one', 'OutOfSync')), status(), 'differs in /data')).toEqual([`resource ${subject}: differs in /data`]);
    expect(compare(of(resource('one')), of(resource('one', 'OutOfSync')))).toEqual([`resource ${subject}: no field of it differs for us`]);
    expect(compare(of(resource('one', 'Synced', { health: { status: 'Healthy' } })), status())).toHaveLength(1);
    expect(compare(of(resource('one', 'Synced', { requiresPruning: true })), status())).toHaveLength(1);
    expect(compare(of(resource('one', 'Synced', { syncWave: 1 })), status())).toHaveLength(1);
    expect(compare(of(), status())).toEqual([`resource ${subject}: we do not count it to the application`]);
    expect(compare(status(), of())).toEqual([`resource ${subject}: only we count it to it`]);
  });

  it('tell which of them could not compare, and nothing of the resources then', () => {
    const failed = status({
      sync: { status: 'Unknown' },
      resources: [],
      conditions: [{ type: 'ComparisonError', message: 'no such path' }],
    });
    expect(compare(failed, status())).toEqual(['sync : we cannot compare it: no such path', 'condition ComparisonError: no such path']);
    expect(compare(status(), failed)).toEqual([
      'sync : they could not compare it: no such path',
      'condition ComparisonError: only they say so',
    ]);
  });
});
