import { describe, expect, it } from 'vitest';
import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { planSteps } from './plan-steps.ts';

const step = (values: readonly string[], more: object = {}) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [...values] }],
  ...more,
});

function setWith(steps: readonly object[], states: Readonly<Record<string, string>>): ApplicationSet {
  const applicationStatus = Object.entries(states).map(([application, text]) => {
    const [number = '', status = ''] = text.split(' ');
    return { application, step: number, status, message: '', targetRevisions: [] };
  });
  const template = { metadata: {}, spec: { project: 'default', destination: {} } };
  const strategy = { type: 'RollingSync', rollingSync: { steps: [...steps] } };
  return { metadata: { name: 'shop' }, spec: { generators: [], template, strategy }, status: { applicationStatus } };
}

describe('the steps of a rollout', () => {
  it('are none where the set has none', () => {
    const { strategy: _none, ...spec } = setWith([], {}).spec;
    expect(planSteps({ metadata: {}, spec })).toBeUndefined();
  });

  it('say what each takes, how many at once, and what is waited for', () => {
    const rollout = planSteps(
      setWith([step(['dev']), step(['qa', 'stage'], { maxUpdate: '25%' }), {}], {
        a: '1 Healthy',
        b: '2 Healthy',
        c: '2 Progressing',
        d: '2 Waiting',
        e: '3 Healthy',
        f: '-1 Waiting',
      }),
    );
    expect(rollout?.steps.map(({ takes, pace, state }) => [takes, pace, state])).toEqual([
      ['env is dev', 'all at once', 'done'],
      ['env is qa or stage', '25% at a time', 'current'],
      ['all that are left', 'all at once', 'waiting'],
    ]);
    expect(rollout?.waitsFor).toBe('Step 2 waits for c to be synced and healthy');
    expect(rollout?.outside.map(({ application }) => application)).toEqual(['f']);
  });

  it('wait for somebody where the limit is 0', () => {
    const rollout = planSteps(setWith([step(['dev'], { maxUpdate: 0 })], { a: '1 Waiting', b: '1 Waiting' }));
    expect(rollout?.waitsFor).toBe('Step 1 waits for somebody to sync a and b: its limit is 0');
  });

  it('wait for nothing when all is done', () => {
    expect(planSteps(setWith([step(['dev']), step(['prod'])], { a: '1 Healthy', b: '2 Healthy' }))?.waitsFor).toBeUndefined();
  });

  it('pass over steps that take nothing', () => {
    const rollout = planSteps(setWith([step(['none']), step(['prod'])], { b: '2 Pending' }));
    expect(rollout?.steps.map(({ state }) => state)).toEqual(['empty', 'current']);
  });
});
