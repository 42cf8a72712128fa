import { describe, expect, it } from 'vitest';
import type { TreeEntry } from '../trees/tree-listing.ts';
import { findValueFiles } from './find-value-files.ts';
import type { FileBase } from './find-value-files.ts';

function base(reference: string, folder: string, files: readonly string[], links: Readonly<Record<string, string>> = {}): FileBase {
  const entries = new Map<string, TreeEntry>();
  for (const path of [...files, ...Object.keys(links)]) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1)
      entries.set(parts.slice(0, depth).join('/'), { kind: 'folder', id: 'f', sizeBytes: 0 });
    entries.set(path, { kind: path in links ? 'symlink' : 'file', id: path, sizeBytes: 1 });
  }
  return {
    reference,
    folder,
    listing: { tree: 't', parts: [], entries, links: new Map(Object.entries(links)), fileCount: 0, sizeBytes: 0 },
  };
}

const own = base('', 'chart', ['chart/a.yaml', 'chart/b.yaml', 'chart/c.yaml', 'chart/env/x/p.yaml', 'root.yaml'], {
  'chart/l.yaml': '../root.yaml',
});
const references = new Map([['$vals', base('$vals', '', ['env/prod.yaml', 'env/test.yaml'])]]);
const options = { own, references, schemes: ['https', 'http'], ignoreMissing: false };
const places = (paths: string[], more = {}) =>
  findValueFiles(paths, { ...options, ...more }).map((file) => `${file.base.reference}${file.place}`);

describe('value files', () => {
  it.each([
    [['a.yaml'], ['chart/a.yaml']],
    [['/root.yaml'], ['root.yaml']],
    [['../root.yaml'], ['root.yaml']],
    [['l.yaml'], ['root.yaml']],
    [
      ['*.yaml', 'a.yaml'],
      ['chart/b.yaml', 'chart/c.yaml', 'root.yaml', 'chart/a.yaml'],
    ],
    [['a.yaml', 'a.yaml'], ['chart/a.yaml']],
    [['env/**/p.yaml'], ['chart/env/x/p.yaml']],
    [['**/p.yaml'], ['chart/env/x/p.yaml']],
    [['{a,env/x/p}.ya*'], ['chart/a.yaml', 'chart/env/x/p.yaml']],
    [['$vals/env/prod.yaml'], ['$valsenv/prod.yaml']],
    [['$vals/env/*.yaml'], ['$valsenv/prod.yaml', '$valsenv/test.yaml']],
    [['nope.yaml'], ['chart/nope.yaml']],
  ])('%j are %j', (paths, expected) => expect(places(paths)).toEqual(expected));

  it('that are missing may be passed over', () => {
    expect(places(['nope.yaml', 'none/*.yaml', 'a.yaml'], { ignoreMissing: true })).toEqual(['chart/a.yaml']);
    expect(() => places(['none/*.yaml'])).toThrow('values file glob "none/*.yaml" matched no files');
  });

  it('are found in no time, however many stars their pattern has', () => {
    const deep = base(
      '',
      '',
      Array.from({ length: 200 }, (_, index) => `${'a/'.repeat(30)}${index}.yaml`),
    );
    const startedAt = performance.now();
    expect(places([`${'**/a/'.repeat(20)}x.yaml`, `${'**/'.repeat(20)}1.yaml`], { own: deep, ignoreMissing: true })).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it.each(['../../../etc/passwd', '/../../x', 'a/../../../x', '../../*.yaml', '$vals/../../x', 'x\0y', `${'../'.repeat(2000)}x`])(
    'PATH-01 PATH-08: %s is outside',
    (path) => expect(() => places([path])).toThrow('resolved to outside repository root'),
  );

  it.each([
    ['file:///etc/passwd', "the URL scheme 'file' is not allowed"],
    ['FILE:///etc/passwd', "the URL scheme 'FILE' is not allowed"],
    ['s3://x/y', "the URL scheme 's3' is not allowed"],
    ['c:\\x', "the URL scheme 'c' is not allowed"],
    ['https:', 'is not allowed'],
    ['$nope/x', 'source referenced "$nope", which is not one of the available sources ($vals)'],
  ])('PATH-02: %s is refused', (path, message) => expect(() => places([path])).toThrow(message));

  it('of another source need one', () => {
    expect(() => places(['$x/a'], { references: new Map() })).toThrow(`source referenced "$x", but no source has a 'ref' field defined`);
  });

  it('that have an address are fetched, whatever characters are in it', () => {
    const [file] = findValueFiles(['https://example.com/values[1].yaml?x=*'], { ...options, ignoreMissing: true });
    expect(file).toMatchObject({ url: 'https://example.com/values[1].yaml?x=*', id: undefined });
  });
});
