import { expect, it } from 'vitest';
import { findApps } from './find-apps.ts';
import type { TreeEntry } from './trees/tree-listing.ts';

it('finds charts and kustomizations wherever they are, and nothing in plain folders', () => {
  const file: TreeEntry = { kind: 'file', id: '1', sizeBytes: 1 };
  const paths = ['kustomization.yml', 'b/Chart.yaml', 'a/x/MyChart.yaml', 'both/Chart.yaml', 'both/Kustomization', 'plain/a.yaml'];
  const entries = new Map([...paths.map((path) => [path, file] as const), ['dir/Chart.yaml', { ...file, kind: 'folder' }] as const]);
  expect(findApps({ entries })).toEqual([
    { path: '.', type: 'Kustomize' },
    { path: 'a/x', type: 'Helm' },
    { path: 'b', type: 'Helm' },
    { path: 'both', type: 'Kustomize' },
  ]);
});
