import { describe, expect, it } from 'vitest';
import { formatLabels, parseLabels, parseNames } from './parse-lines.ts';

describe('what is typed about a cluster', () => {
  it('has namespaces with commas or on lines', () => {
    expect(parseNames('shop, tools\nshop\n\n')).toEqual(['shop', 'tools']);
  });

  it('has labels on lines, which can be written back', () => {
    const { labels, problem } = parseLabels('env=prod\nexample.com/tier = gold\nempty=\n__proto__=x');
    expect(problem).toMatch(/__proto__/);
    expect(labels).toEqual({});
    const good = parseLabels('env=prod\nexample.com/tier = gold\nempty=');
    expect(good.problem).toBeUndefined();
    expect(parseLabels(formatLabels(good.labels))).toEqual(good);
  });

  it.each(['a b=c', 'env=not ok', '=x'])('refuses %s', (line) => {
    expect(parseLabels(line).problem).toBeDefined();
  });
});
