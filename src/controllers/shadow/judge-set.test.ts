import { describe, expect, it } from 'vitest';
import type { ApplicationSet } from '../../model/index.ts';
import type { PlannedChange } from '../applicationset/plan-changes.ts';
import { findReasonToWaitForSet, judgeSet } from './judge-set.ts';

const set = (error?: string): ApplicationSet => ({
  metadata: { name: 'teams', namespace: 'argocd' },
  spec: { generators: [], template: { metadata: {}, spec: { project: 'shop' } } } as unknown as ApplicationSet['spec'],
  status: {
    conditions: [
      { type: 'ErrorOccurred', status: error === undefined ? 'False' : 'True', message: error ?? '', reason: '' },
    ] as unknown as NonNullable<ApplicationSet['status']>['conditions'],
  } as NonNullable<ApplicationSet['status']>,
});

const change = (name: string, kind: PlannedChange['kind'], more: Partial<PlannedChange> = {}): PlannedChange => ({
  name,
  kind,
  message: undefined,
  live: undefined,
  before: undefined,
  after: undefined,
  ...more,
});
const planned = (...changes: readonly PlannedChange[]) => ({ kind: 'planned', changes }) as const;

describe('A shadowed application set', () => {
  it('agrees where everything would be kept', () => {
    expect(judgeSet(set(), planned(change('a', 'keep'), change('b', 'keep')))).toMatchObject({
      namespace: 'argocd',
      name: 'teams',
      project: 'shop',
      verdict: 'agrees',
      applications: 2,
      disagreements: [],
    });
  });

  it('names applications that would come, go or be written otherwise, and in which fields', () => {
    const update = { before: { spec: { project: 'a', source: { path: 'x' } } }, after: { spec: { project: 'a', source: { path: 'y' } } } };
    const { verdict, disagreements } = judgeSet(
      set(),
      planned(change('a', 'create'), change('b', 'delete'), change('c', 'update', update)),
    );
    expect(verdict).toBe('disagrees');
    expect(disagreements).toEqual([
      { aspect: 'application', subject: 'a', ours: 'there', theirs: '', reason: 'we generate it' },
      { aspect: 'application', subject: 'b', ours: '', theirs: 'there', reason: 'we do not generate it' },
      { aspect: 'application', subject: 'c', ours: 'generated otherwise', theirs: 'there', reason: 'differs in spec.source.path' },
    ]);
  });

  it('agrees where both cannot make it, in whatever words', () => {
    const found = judgeSet(set('no such repository'), { kind: 'failed', message: 'the repository does not exist' });
    expect(found).toMatchObject({ verdict: 'agrees', wordings: [{ subject: 'ErrorOccurred' }] });
    expect(judgeSet(set('no project'), planned(change('a', 'refuse', { message: 'no project' })))).toMatchObject({
      verdict: 'agrees',
      wordings: [],
    });
  });

  it.each([
    ['only we cannot', set(), { kind: 'failed', message: 'unreachable' } as const, { ours: 'unreachable', theirs: '' }],
    ['only they cannot', set('unreachable'), planned(change('a', 'keep')), { ours: '', theirs: 'unreachable' }],
  ])('disagrees where %s', (_, seen, finding, said) => {
    expect(judgeSet(seen, finding)).toMatchObject({
      verdict: 'disagrees',
      disagreements: [{ aspect: 'condition', subject: 'ErrorOccurred', ...said }],
    });
  });

  it('is waited for where they have not looked at it yet', () => {
    const { status: _, ...fresh } = set();
    expect(findReasonToWaitForSet(fresh)).toBe('they have not looked at it yet');
    expect(findReasonToWaitForSet(set())).toBeUndefined();
  });
});
