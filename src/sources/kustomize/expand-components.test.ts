import { describe, expect, it } from 'vitest';
import type { TreeEntry } from '../trees/tree-listing.ts';
import { escapePattern, expandComponents } from './expand-components.ts';

function placeOf(folders: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const entries = new Map<string, TreeEntry>(folders.map((path) => [path, { kind: 'folder', id: path, sizeBytes: 0 }]));
  entries.set('parts/file', { kind: 'file', id: 'f', sizeBytes: 1 });
  for (const path of Object.keys(links)) entries.set(path, { kind: 'symlink', id: path, sizeBytes: 1 });
  const listing = { tree: 't', parts: [], entries, links: new Map(Object.entries(links)), fileCount: 1, sizeBytes: 1 };
  return { listing, folder: 'apps/web' };
}

describe('KUST-01: the components of an application', () => {
  const place = placeOf(['apps', 'apps/web', 'apps/web/c1', 'parts', 'parts/one', 'parts/two', 'parts/.git-like', 'parts/two/deep'], {
    'parts/link': 'one',
  });

  it.each([
    ['../../parts/one', ['../../parts/one']],
    ['../../parts/*', ['../../parts/link', '../../parts/one', '../../parts/two']],
    ['../../parts/t[v-x]?', ['../../parts/two']],
    ['c*', ['c1']],
    ['c**', ['c1']],
    ['../../parts/.*', ['../../parts/.git-like']],
    ['../../*/{one}', ['../../*/{one}']],
    ['nothing*', ['nothing*']],
    ['../../../*', ['../../../*']],
  ])('%s are %j', (component, expected) => expect(expandComponents(place, [component])).toEqual(expected));

  it('are found in the order of Kustomize, through links, and each once', () => {
    const parts = ['parts', 'parts/a', 'parts/a/x', 'parts/a-b', 'parts/a-b/x', 'parts/!c'];
    const linked = placeOf(['apps', 'apps/web', ...parts], { shared: 'parts' });
    expect(expandComponents(linked, ['../../parts/*/x'])).toEqual(['../../parts/a/x', '../../parts/a-b/x']);
    expect(expandComponents(linked, ['../../shared/a*'])).toEqual(['../../shared/a', '../../shared/a-b']);
    expect(expandComponents(linked, ['../../parts/[!c]c'])).toEqual(['../../parts/!c']);
    expect(expandComponents(linked, ['../../parts/a', '../../parts/a*', '../../parts/a'])).toEqual(['../../parts/a', '../../parts/a-b']);
    expect(expandComponents(linked, ['/parts/*', '../../parts/*/'])).toEqual(['/parts/*', '../../parts/*/']);
  });

  it('DOS-01: are not looked for without end', () => {
    const wide = placeOf(['apps', 'apps/web', ...Array.from({ length: 2_000 }, (_, at) => `apps/web/${at}`)]);
    expect(expandComponents(wide, ['*'])).toHaveLength(2_000);
    const patterns = Array.from({ length: 20_000 }, (_, at) => `*x${at}`);
    expect(() => expandComponents(wide, patterns)).toThrow('held against more than');
    expect(expandComponents(wide, [`${'a/'.repeat(1_000_000)}*`])).toHaveLength(1);
  });

  it('are handed over as what they are', () => expect(escapePattern('../a*b/[c]?\\')).toBe('../a\\*b/\\[c]\\?\\\\'));
});
