import { expect, it } from 'vitest';
import { formatShadowReport } from './format-shadow-report.ts';

it('tells what does not agree, and why, and how many do', () => {
  const agreed = { namespace: 'argocd', name: 'web', verdict: 'agrees', reason: '', disagreements: [] };
  const doubted = {
    namespace: 'argocd',
    name: 'teams',
    verdict: 'disagrees',
    reason: '',
    disagreements: [{ aspect: 'application', subject: 'team-b', ours: 'there', theirs: '', reason: 'we generate it' }],
  };
  const report = {
    total: 1,
    counts: { agrees: 1, disagrees: 0 },
    applications: [agreed],
    sets: { total: 1, counts: { agrees: 0, disagrees: 1 }, applicationSets: [doubted] },
  };
  expect(formatShadowReport(report)).toBe(
    [
      'application set argocd/teams: disagrees',
      '  application team-b: ours there, theirs nothing (we generate it)',
      '1 applications: 1 agrees, 0 disagrees',
      '1 application sets: 0 agrees, 1 disagrees\n',
    ].join('\n'),
  );
});
