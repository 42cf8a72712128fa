import { expect, it } from 'vitest';
import { listFolders } from './find-folders.ts';

it('finds plain folders beside charts and kustomizations, and nothing in what is part of a chart', () => {
  const file = { kind: 'file', id: '1', sizeBytes: 1 } as const;
  const paths = [
    'README.md',
    'chart/Chart.yaml',
    'chart/templates/a.yaml',
    'overlay/kustomization.yaml',
    'plain/a.yaml',
    'plain/deep/b.json',
    'docs/index.md',
    '.github/workflows/ci.yaml',
  ];
  const entries = new Map(paths.map((path) => [path, file]));
  const apps = [
    { path: 'chart', type: 'Helm' },
    { path: 'overlay', type: 'Kustomize' },
  ];
  expect(listFolders(entries, apps)).toEqual([
    { path: 'chart', type: 'Helm' },
    { path: 'overlay', type: 'Kustomize' },
    { path: 'plain', type: 'Directory' },
    { path: 'plain/deep', type: 'Directory' },
  ]);
  expect(listFolders(new Map([['a.yml', file]]), [])).toEqual([{ path: '.', type: 'Directory' }]);
});
