import { describe, expect, it } from 'vitest';
import { createRegistry } from './registry.ts';

describe('the metrics text', () => {
  it('shows counters with their labels, escaped', () => {
    const registry = createRegistry();
    const counter = registry.counter({ name: 'things_total', help: 'Things.', labels: ['kind', 'place'] });
    counter.add(0.5, 'a', 'x');
    counter.add(1.5, 'a', 'x');
    counter.add(1, 'b"\n\\', 'y');
    expect(registry.render()).toBe(
      '# HELP things_total Things.\n# TYPE things_total counter\nthings_total{kind="a",place="x"} 2\nthings_total{kind="b\\"\\n\\\\",place="y"} 1\n',
    );
  });

  it('shows a histogram with cumulative buckets', () => {
    const registry = createRegistry();
    const histogram = registry.histogram({ name: 'wait_seconds', help: 'Waits.', labels: [], buckets: [1, 5] });
    for (const value of [0.5, 1, 3, 10]) histogram.at().observe(value);
    expect(registry.render().split('\n').slice(2, -1)).toEqual([
      'wait_seconds_bucket{le="1"} 2',
      'wait_seconds_bucket{le="5"} 3',
      'wait_seconds_bucket{le="+Inf"} 4',
      'wait_seconds_sum 14.5',
      'wait_seconds_count 4',
    ]);
  });

  it('looks values up when it is read', () => {
    const registry = createRegistry();
    let open = 1;
    registry.read({ name: 'open', help: 'Open.', type: 'gauge', label: 'kind', value: () => new Map([['h2', open]]) });
    open = 7;
    expect(registry.render()).toContain('open{kind="h2"} 7\n');
  });

  it('keeps a bounded number of series, whatever the labels are', () => {
    const registry = createRegistry();
    const counter = registry.counter({ name: 'things_total', help: 'Things.', labels: ['name'] });
    for (let index = 0; index < 10_000; index += 1) counter.add(1, `name-${index}`);
    const lines = registry.render().split('\n');
    expect(lines.length).toBeLessThan(2_010);
    expect(lines).toContain('things_total{name="other"} 8000');
  });
});
