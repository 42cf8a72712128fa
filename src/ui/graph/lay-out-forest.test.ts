import { describe, expect, it } from 'vitest';
import { layOutForest } from './lay-out-forest.ts';

function node(id: string) {
  return { id, width: 100, height: 40 };
}

describe('the layout of a forest', () => {
  it('puts parents beside the middle of their children, and nothing over anything', () => {
    const layout = layOutForest({
      nodes: ['root', 'a', 'b', 'c'].map(node),
      edges: [
        { from: 'root', to: 'a' },
        { from: 'root', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    })!;
    const at = new Map(layout.nodes.map((place) => [place.id, place]));
    expect(at.get('root')!.y).toBe((at.get('a')!.y + at.get('b')!.y) / 2);
    expect(at.get('a')!.x).toBe(at.get('b')!.x);
    expect(at.get('c')!.x).toBeGreaterThan(at.get('b')!.x);
    expect(at.get('b')!.y - at.get('a')!.y).toBeGreaterThanOrEqual(40);
    expect(layout.edges).toHaveLength(3);
  });

  it('is none where something has two parents, or a circle', () => {
    const nodes = ['a', 'b', 'c'].map(node);
    expect(
      layOutForest({
        nodes,
        edges: [
          { from: 'a', to: 'c' },
          { from: 'b', to: 'c' },
        ],
      }),
    ).toBeUndefined();
    expect(
      layOutForest({
        nodes,
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'a' },
        ],
      }),
    ).toBeUndefined();
  });

  it('takes thousands of boxes in no time', () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) => node(String(index)));
    const edges = nodes.slice(1).map((_, index) => ({ from: String(Math.floor(index / 10)), to: String(index + 1) }));
    const startMs = performance.now();
    expect(layOutForest({ nodes, edges })?.nodes).toHaveLength(5_000);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});
