import { expect, it } from 'vitest';
import { formatShadowReport } from './format-shadow-report.ts';

it('tells what does not agree, and why, and how many do', () => {
  const agreed = { namespace: 'argocd', name: 'web', verdict: 'agrees', reason: '', disagreements: [] };
  const doubted = {
    namespace: 'argocd',
    name: 'teams',
    verdict: 'disagrees',
    reason: '',
    disagreements: [
      { aspect: 'application', subject: 'team-b', ours: 'there', theirs: '', reason: 'we generate it' },
      { aspect: 'condition', subject: 'ErrorOccurred', ours: 'no such path', theirs: 'absent', reason: 'no such path' },
    ],
  };
  const report = {
    total: 2,
    counts: { agrees: 2, disagrees: 0 },
    applications: [agreed, agreed],
    sets: { total: 1, counts: { agrees: 0, disagrees: 1 }, applicationSets: [doubted] },
  };
  expect(formatShadowReport(report)).toBe(
    [
      'application set argocd/teams: disagrees',
      '  application team-b: ours there, theirs nothing (we generate it)',
      '  condition ErrorOccurred: ours no such path, theirs absent',
      '2 applications: 2 agrees, 0 disagrees',
      '1 application set: 0 agrees, 1 disagrees\n',
    ].join('\n'),
  );
});
