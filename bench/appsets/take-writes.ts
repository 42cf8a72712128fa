import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from '../../test/support/cluster/control-plane.ts';

/** How many writes were made, by verb and kind. */
export type Writes = Readonly<Record<string, number>>;

const writingVerbs = new Set(['create', 'update', 'patch', 'delete']);

interface AuditLine {
  readonly user?: { readonly username?: string };
  readonly userAgent?: string;
  readonly verb?: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
}

/** Tells the writes that a tool made to the API server since it was last asked. What asks for us, and the cluster's own, do not count. */
export function openWrites({ folder }: Pick<ControlPlane, 'folder'>, ownAgent: string): () => Writes {
  const file = join(folder, 'audit.log');
  let readBytes = 0;
  return () => {
    const counts: Record<string, number> = {};
    const fresh = readFileSync(file).subarray(readBytes);
    // The last line may not be written to its end yet.
    const end = fresh.lastIndexOf(0x0a) + 1;
    readBytes += end;
    for (const text of fresh.subarray(0, end).toString().split('\n')) {
      if (text === '') continue;
      const { user, userAgent = '', verb = '', objectRef } = JSON.parse(text) as AuditLine;
      const isCluster = user?.username?.startsWith('system:') === true || /^kube-|^kwok/.test(userAgent);
      if (isCluster || userAgent.startsWith(ownAgent) || !writingVerbs.has(verb)) continue;
      const what = `${verb} ${[objectRef?.resource, objectRef?.subresource].filter(Boolean).join('/')}`;
      counts[what] = (counts[what] ?? 0) + 1;
    }
    return counts;
  };
}
