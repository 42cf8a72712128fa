import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ControlPlane } from '../../test/support/cluster/control-plane.ts';

interface AuditLine {
  readonly user?: { readonly username?: string };
  readonly userAgent?: string;
  readonly verb?: string;
  readonly stage?: string;
}

/** A moment in the audit log of a control plane. */
export interface AuditMark {
  readonly bytes: number;
}

export function markAudit(plane: ControlPlane): AuditMark {
  const file = fileOf(plane);
  return { bytes: existsSync(file) ? statSync(file).size : 0 };
}

/** The requests that a tool has made since a moment. What we ask ourselves, and what belongs to the cluster, does not count. */
export async function countRequestsSince(plane: ControlPlane, { bytes }: AuditMark, ownAgent = 'fairway-test'): Promise<number> {
  let count = 0;
  const lines = createInterface({ input: createReadStream(fileOf(plane), { start: bytes }), crlfDelay: Infinity });
  for await (const text of lines) {
    const line = parseLine(text);
    if (line === undefined) continue;
    const { user, userAgent = '', verb, stage } = line;
    const isCluster = user?.username?.startsWith('system:') === true || /^kube-|^kwok/.test(userAgent);
    // A watch is written down when it begins and when it ends, everything else once.
    const isCounted = (verb === 'watch') === (stage === 'ResponseStarted');
    if (isCounted && !isCluster && !userAgent.startsWith(ownAgent)) count += 1;
  }
  return count;
}

function parseLine(text: string): AuditLine | undefined {
  // The last line may still be being written.
  if (!text.endsWith('}')) return undefined;
  try {
    return JSON.parse(text) as AuditLine;
  } catch {
    // Half a line that happens to end like a whole one.
    return undefined;
  }
}

function fileOf({ folder }: ControlPlane): string {
  return join(folder, 'audit.log');
}
