import { expect, it } from 'vitest';
import { buildTree } from './build-tree.ts';
import type { MadeApplication } from './made-applications.ts';

const made = (name: string, step: string): MadeApplication => ({
  name,
  namespace: 'argocd',
  sync: 'Synced',
  health: 'Healthy',
  step,
  progress: '',
});

it('the tree of a set has a box for each group, in their order, and in it those that belong there', () => {
  const { boxes, graph } = buildTree([made('a', '10'), made('b', '2'), made('c', '-1')], 'step');
  expect(boxes.map(({ id }) => id)).toEqual([
    'set',
    'group In no step',
    'application c',
    'group Step 2',
    'application b',
    'group Step 10',
    'application a',
  ]);
  expect(graph.edges).toContainEqual({ from: 'group Step 2', to: 'application b' });
});
