import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultSourceLimits } from '../../limits.ts';
import type { TreeListing } from '../../trees/tree-listing.ts';
import type { Git } from '../git.ts';
import { placeOfObject } from './download-objects.ts';
import { createLfs } from './lfs.ts';

const oid = 'ab'.repeat(32);
const blobs: Readonly<Record<string, string>> = {
  attributes: '*.json filter=lfs\n',
  pointer: `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 5\n`,
};

/** Knows the two blobs, and nothing else. */
const git: Pick<Git, 'local'> = {
  local({ input = '' }) {
    const ids = String(input).trimEnd().split('\n');
    const told = ids.map((id) => `${id} blob ${(blobs[id] ?? '').length}\n${blobs[id] ?? ''}\n`);
    return Promise.resolve(Buffer.from(told.join('')));
  },
};

function listingWith(outer: string, inner: string): TreeListing {
  const file = (id: string) => ({ kind: 'file', id, sizeBytes: (blobs[id] ?? '').length }) as const;
  return {
    tree: 'combined',
    parts: [
      { path: '', repository: outer, tree: 'outer' },
      { path: 'lib', repository: inner, tree: 'inner' },
    ],
    entries: new Map([
      ['.gitattributes', file('attributes')],
      ['large.json', file('pointer')],
    ]),
    links: new Map(),
    fileCount: 2,
    sizeBytes: 0,
  };
}

it('CRED-10: a revision with large files has its submodules from the mirrors of who asks', async () => {
  const repository = await mkdtemp(join(tmpdir(), 'fairway-lfs-'));
  try {
    const place = placeOfObject(join(repository, 'lfs-objects'), oid);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, 'large');
    const get = () => Promise.reject(new Error('everything is here'));
    const complete = createLfs({ git: git as Git, get, limits: defaultSourceLimits });
    const access = { url: 'https://git.example/a', type: 'git', owner: 'ada' } as const;
    const commit = { repository, commit: 'c', tree: 'outer' };
    const repositoriesOf = async (inner: string): Promise<readonly string[]> => {
      const { parts } = await complete(access, commit, listingWith(repository, inner), undefined);
      return parts.flatMap((part) => ('repository' in part ? [part.repository] : []));
    };
    expect(await repositoriesOf('/mirrors/of-one')).toEqual([repository, '/mirrors/of-one']);
    expect(await repositoriesOf('/mirrors/of-another')).toEqual([repository, '/mirrors/of-another']);
  } finally {
    await rm(repository, { recursive: true });
  }
});
