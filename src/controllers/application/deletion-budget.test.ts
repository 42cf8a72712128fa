import { describe, expect, it } from 'vitest';
import type { Application, ResourceStatus } from '../../model/index.ts';
import { deletionBudgetOf, describeOverspending, parseDeletionBudget } from './deletion-budget.ts';

const resources = (pruned: number, kept: number): readonly ResourceStatus[] => [
  ...Array.from({ length: pruned }, (_, index) => ({ name: `old-${index}`, requiresPruning: true })),
  ...Array.from({ length: kept }, (_, index) => ({ name: `new-${index}` })),
];
const application = (
  annotations: Record<string, string> = {},
  conditions: NonNullable<Application['status']>['conditions'] = [],
): Application => ({
  metadata: { name: 'web', annotations },
  spec: { project: 'default', destination: {} },
  status: { conditions },
});
const message = 'it would delete 3 of 10 resources, and the deletion budget is 20%: sync with prune, or confirm the deletion';

describe('A deletion budget', () => {
  it('is a number or a share, of the application rather than of the installation', () => {
    expect(parseDeletionBudget('20%')?.countMax(10)).toBe(2);
    expect(parseDeletionBudget('5')?.countMax(10)).toBe(5);
    for (const text of ['', 'none', '-1', '20 %', 'many']) expect(parseDeletionBudget(text)).toBeUndefined();
    expect(deletionBudgetOf(application({ 'fairway.dev/deletion-budget': '1' }), '50%')?.text).toBe('1');
    expect(deletionBudgetOf(application(), '50%')?.text).toBe('50%');
    expect(deletionBudgetOf(application({ 'fairway.dev/deletion-budget': 'none' }), '50%')).toBeUndefined();
  });

  it('stops what would delete more, and says what to do', () => {
    const budget = parseDeletionBudget('20%');
    expect(describeOverspending(application(), resources(2, 8), budget)).toBeUndefined();
    expect(describeOverspending(application(), resources(3, 7), budget)).toBe(message);
    expect(describeOverspending(application(), resources(3, 7), undefined)).toBeUndefined();
  });

  it('does not count hooks that have run, which nothing prunes', () => {
    const hooks = Array.from({ length: 5 }, (_, index) => ({ name: `run-${index}`, hook: true, requiresPruning: true }));
    expect(describeOverspending(application(), [...resources(2, 8), ...hooks], parseDeletionBudget('20%'))).toBeUndefined();
    expect(describeOverspending(application(), [...resources(3, 7), ...hooks], parseDeletionBudget('20%'))).toBe(message);
  });

  it('lets it pass once somebody has confirmed what was shown', () => {
    const budget = parseDeletionBudget('20%');
    const shown = [
      { type: 'SyncError', message: `Skipping sync attempt to [abc]: ${message}`, lastTransitionTime: '2026-01-01T00:00:10Z' },
    ];
    const approved = (time: string): Application => application({ 'argocd.argoproj.io/deletion-approved': time }, shown);
    expect(describeOverspending(approved('2026-01-01T00:00:09Z'), resources(3, 7), budget)).toBe(message);
    expect(describeOverspending(approved('2026-01-01T00:00:11Z'), resources(3, 7), budget)).toBeUndefined();
    // Another number is another question.
    expect(describeOverspending(approved('2026-01-01T00:00:11Z'), resources(4, 6), budget)).toMatch(/^it would delete 4 of 10/);
  });
});
