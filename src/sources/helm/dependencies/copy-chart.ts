import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../../render-context.ts';
import { walkBelow } from '../../trees/tree-children.ts';
import { resolveInTree } from '../../trees/tree-listing.ts';

/** A copy of a chart that others can be added to. Links lead to where they lead in the revision, which nobody changes. */
export async function copyChart({ listing, folder }: Place, root: string, copy: string): Promise<void> {
  await mkdir(copy, { recursive: true, mode: 0o700 });
  const start = folder === '' ? 0 : folder.length + 1;
  for (const path of walkBelow(listing, folder)) {
    const target = join(copy, path.slice(start));
    const kind = listing.entries.get(path)?.kind;
    if (kind === 'folder') await mkdir(target, { recursive: true, mode: 0o700 });
    else if (kind === 'file') await copyFile(join(root, path), target);
    else if (kind === 'symlink') {
      const resolved = resolveInTree(listing, path);
      if (resolved.found) await symlink(join(root, resolved.path), target);
    }
  }
}
