import { describe, expect, it } from 'vitest';
import { buildTree } from './build-tree.ts';
import type { MadeApplication } from './made-applications.ts';
import { drawEdge, placeBoxes } from './place-boxes.ts';

const made = (name: string, step: string): MadeApplication => ({
  name,
  namespace: 'argocd',
  sync: 'Synced',
  health: 'Healthy',
  step,
  progress: '',
});

describe('the tree of a set', () => {
  it('has a box for each group, in their order, and in it those that belong there', () => {
    const { boxes } = buildTree([made('a', '10'), made('b', '2'), made('c', '-1')], 'step');
    expect(boxes.map(({ id }) => id)).toEqual([
      'set',
      'group In no step',
      'application c',
      'group Step 2',
      'application b',
      'group Step 10',
      'application a',
    ]);
  });

  it('puts each box beside the first that it leads to', () => {
    const { graph } = buildTree([made('a', '1'), made('b', '1'), made('c', '2')], 'step');
    const nodes = graph.nodes.map(({ id }, index) => ({ id, x: id === 'set' ? 0 : 300, y: index * 100 }));
    const places = placeBoxes(graph, { width: 900, height: 900, nodes, edges: [] });
    const middle = (id: string): number => places.get(id)!.y + places.get(id)!.height / 2;
    expect(middle('set')).toBe(middle('application a'));
    expect(middle('group Step 1')).toBe(middle('application a'));
    expect(middle('group Step 2')).toBe(middle('application c'));
    expect(drawEdge(places.get('set'), places.get('group Step 1'))).toMatch(/^240,(\d+) 270,\1 270,\1 300,\1$/);
    expect(drawEdge(places.get('set'), undefined)).toBe('');
  });
});
