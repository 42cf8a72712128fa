import { kustomizationNames } from './kustomize/find-kustomizations.ts';
import type { FoundApp } from './sources.ts';
import type { TreeListing } from './trees/tree-listing.ts';

/** The folders of a revision that look like a chart or a kustomization, in byte order. One that looks like both is the latter. */
export function findApps({ entries }: Pick<TreeListing, 'entries'>): FoundApp[] {
  const types = new Map<string, FoundApp['type']>();
  for (const [path, { kind }] of entries) {
    if (kind !== 'file' && kind !== 'symlink') continue;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const folder = slash < 0 ? '.' : path.slice(0, slash);
    if (kustomizationNames.includes(name)) types.set(folder, 'Kustomize');
    else if (name.endsWith('Chart.yaml') && !types.has(folder)) types.set(folder, 'Helm');
  }
  return [...types].map(([path, type]) => ({ path, type })).sort((one, other) => (one.path < other.path ? -1 : 1));
}
