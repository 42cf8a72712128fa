import { expect, it } from 'vitest';
import { readApplicationSet } from '../../model/index.ts';
import { createIgnore } from './ignore-differences.ts';

it('JQ-01: bounds what expressions take for all applications of a set together', () => {
  const set = readApplicationSet({
    apiVersion: '',
    kind: '',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      generators: [],
      template: { spec: { project: 'default' } },
      ignoreApplicationDifferences: [{ jqPathExpressions: ['.spec.extra', '.spec | select(last(range(1000)) < 0)'] }],
    },
  });
  const ignoreFor = createIgnore(set, 100_000);
  expect(ignoreFor('first')({ spec: { extra: 1, kept: 2 } })).toEqual({ spec: { kept: 2 } });
  const all = Array.from({ length: 1_000 }, (_unused, at) => ignoreFor(`app-${at}`));
  expect(() => all.map((ignore) => ignore({ spec: {} }))).toThrow('error in ignoreApplicationDifferences');
});
