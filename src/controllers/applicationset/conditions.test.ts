import { describe, expect, it } from 'vitest';
import { healthOf, nextConditions, type Outcome } from './conditions.ts';

const early = '2026-01-01T00:00:00Z';
const now = '2026-01-02T00:00:00Z';
const failed = (message: string, areParametersGenerated = true): Outcome => ({
  kind: 'failed',
  reason: 'UpdateApplicationError',
  message,
  areParametersGenerated,
});
const stepTwo = { isComplete: false, step: 2 };

describe('the conditions of an application set', () => {
  it('keep the time since when they have been so', () => {
    const first = nextConditions([], failed('no'), 'none', early);
    const second = nextConditions(first, failed('no'), 'none', now);
    expect(second).toEqual(first);
    const third = nextConditions(second, failed('other'), 'none', now);
    expect(third.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['ErrorOccurred', now],
      ['ParametersGenerated', early],
      ['ResourcesUpToDate', now],
    ]);
  });

  it('tell a failure of generators from one after them', () => {
    const state = (outcome: Outcome) =>
      nextConditions([], outcome, 'none', now).map(({ status, reason, message }) => `${status} ${reason} ${message}`);
    expect(state(failed('no', false))).toEqual(['True UpdateApplicationError no', 'False ErrorOccurred no', 'False ErrorOccurred no']);
    expect(state(failed('no'))[1]).toBe('True ParametersGenerated Successfully generated parameters for all Applications');
  });

  it('tell of a rollout while there is one', () => {
    const rolling = nextConditions([], { kind: 'up-to-date' }, stepTwo, early);
    expect(rolling.find(({ type }) => type === 'RolloutProgressing')).toMatchObject({
      status: 'True',
      reason: 'ApplicationSetModified',
      message: 'ApplicationSet is performing rollout of step 2',
    });
    expect(nextConditions(rolling, failed('no'), 'same', now).map(({ type }) => type)).toContain('RolloutProgressing');
    expect(nextConditions(rolling, failed('no'), 'none', now).map(({ type }) => type)).not.toContain('RolloutProgressing');
    const done = nextConditions(rolling, undefined, { isComplete: true, step: 0 }, now);
    expect(done.find(({ type }) => type === 'RolloutProgressing')).toMatchObject({
      status: 'False',
      reason: 'ApplicationSetRolloutComplete',
    });
    expect(done.find(({ type }) => type === 'ErrorOccurred')?.lastTransitionTime).toBe(early);
  });

  it('are not longer than anybody reads', () =>
    expect(nextConditions([], failed('x'.repeat(100_000)), 'none', now)[0]?.message).toHaveLength(8_192));

  it.each([
    [[], 'Unknown', 'No status conditions found for ApplicationSet'],
    [nextConditions([], failed('no'), stepTwo, now), 'Degraded', 'no'],
    [nextConditions([], { kind: 'up-to-date' }, stepTwo, now), 'Progressing', 'ApplicationSet is performing rollout of step 2'],
    [nextConditions([], { kind: 'up-to-date' }, 'none', now), 'Healthy', 'All applications have been generated successfully'],
    [nextConditions([], undefined, { isComplete: true, step: 0 }, now), 'Unknown', 'Waiting for health status to be determined'],
  ])('say how it is: %#', (conditions, status, message) => expect(healthOf(conditions)).toEqual({ status, message }));
});
