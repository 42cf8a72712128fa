import { describe, expect, it } from 'vitest';
import { listEntries, listPluginEntries } from './list-entries.ts';

const named = (entries: readonly { readonly text: string }[]): string[] => entries.map(({ text }) => text).sort();

describe('what a kustomization names', () => {
  it('is found in every field, and only some of it may be elsewhere', () => {
    const entries = listEntries({
      resources: ['r'],
      bases: ['b'],
      components: ['c'],
      crds: ['crd'],
      configurations: ['conf'],
      patchesStrategicMerge: ['psm'],
      patches: [{ path: 'p1' }, 'p2', { patch: 'inline' }],
      patchesJson6902: [{ Path: 'p3' }],
      replacements: [{ path: 'p4' }],
      configMapGenerator: [{ files: ['f1', 'key=f2'], envs: ['e1'], env: 'e2', literals: ['a=b'] }],
      secretGenerator: [{ FILES: ['f3'] }],
      openapi: { path: 'o' },
      helmGlobals: { chartHome: 'h1' },
      helmCharts: [{ name: 'x', valuesFile: 'v1', additionalValuesFiles: ['v2'] }],
      helmChartInflationGenerator: [{ chartName: 'x', chartHome: 'h2', values: 'v3' }],
      namePrefix: 'none',
    });
    expect(named(entries.filter(({ mayBeRemote }) => mayBeRemote))).toEqual(['b', 'c', 'r']);
    const local = ['conf', 'crd', 'e1', 'e2', 'f1', 'f2', 'f3', 'h1', 'h2', 'o', 'p1', 'p2', 'p3', 'p4', 'psm', 'v1', 'v2', 'v3'];
    expect(named(entries.filter(({ mayBeRemote }) => !mayBeRemote))).toEqual(local);
  });

  it('is found in plugins at any depth, in every letter case', () => {
    const deeper = { FILES: ['k=c'], envSources: ['d'], Path: 'b' };
    const plugin = { kind: 'X', path: 'a', more: [{ deeper }], fieldSpecs: [{ path: 'e', PATH: 'f' }] };
    const entries = listPluginEntries(plugin);
    expect(named(entries)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    // All are files to Kustomize, whatever they look like.
    expect(entries.filter(({ mayBeText = false }) => mayBeText)).toEqual([]);
  });

  it('is found in a plugin that merges patches, which may be there themselves', () => {
    const entries = listPluginEntries({ kind: 'PatchStrategicMergeTransformer', Paths: ['a', '{kind: X}'] });
    expect(entries).toEqual(['a', '{kind: X}'].map((text) => ({ text, mayBeRemote: false, mayBeText: true })));
    expect(listPluginEntries({ kind: 'X', paths: ['a'] })).toEqual([]);
  });

  it.each([
    [{ repo: 'https://x' }, 'fetches from a repository'],
    [{ ConfigHome: './x' }, 'could bring programs along'],
    [{ name: '../x' }, 'is no name or version'],
    [{ version: '1/../..' }, 'is no name or version'],
    [{ releaseName: '-x' }, 'starts with a dash'],
    [{ name: 'a', NAME: 'b' }, 'twice'],
    [{ additionalValuesFiles: ['a.yaml', 'b.yaml,/etc/c.yaml'] }, 'several files to Helm'],
    [{ AdditionalValuesFiles: ['"b.yaml"'] }, 'several files to Helm'],
  ])('is refused of charts: %j', (chart, message) => {
    expect(() => listPluginEntries({ kind: 'helmchartinflationgenerator', ...chart })).toThrow(message);
    expect(() => listEntries({ helmCharts: [chart] })).toThrow(message);
  });
});
