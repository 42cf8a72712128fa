import type { TreeRow } from './live-cache.ts';
import type { StoredRow } from './make-row.ts';
import type { RowIndex } from './row-index.ts';

/** The roots and everything below them, parents before children where there is no circle, each object once. */
export function walkTree(index: RowIndex, roots: Iterable<StoredRow>): readonly TreeRow[] {
  // An object that is served in two groups has two rows and one uid.
  const seen = new Map<string, StoredRow>();
  const rows = new Set<StoredRow>();
  const visit = (row: StoredRow): void => {
    const known = row.uid === '' ? undefined : seen.get(row.uid);
    if (known !== undefined) return;
    if (row.uid !== '') seen.set(row.uid, row);
    rows.add(row);
  };
  for (const root of roots) visit(root);
  for (const row of rows) for (const child of index.childrenOf(row)) visit(child);
  return [...rows].map((row) => ({ row, parents: index.parentsOf(row) }));
}
