import { createHash } from 'node:crypto';
import { ApiError, Code } from '../../base/index.ts';
import type { SyncWindow } from '../../contract/index.ts';
import { checkSyncWindow, SyncWindowError } from '../sync-windows/sync-windows.ts';

/** Throws ApiError in the words of the API where a window means nothing, speaks about nothing, or is there twice. */
export function checkSyncWindows(windows: readonly SyncWindow[]): void {
  const seen = new Set<string>();
  for (const window of windows) {
    checkOne(window);
    const { kind = '', schedule = '', duration = '', applications = [], namespaces = [], clusters = [] } = window;
    if (applications.length + namespaces.length + clusters.length === 0)
      throw new ApiError(Code.OutOfRange, `window '${kind}':'${schedule}':'${duration}' requires one of application, cluster or namespace`);
    const hash = identify(window);
    if (seen.has(hash)) {
      const what = `sync window with kind '${kind}', schedule '${schedule}', and duration '${duration}'`;
      throw new ApiError(Code.AlreadyExists, `${what} already exists (hash=${hash}, duplicate detected)`);
    }
    seen.add(hash);
  }
}

function checkOne(window: SyncWindow): void {
  try {
    checkSyncWindow(window);
  } catch (error) {
    if (error instanceof SyncWindowError) throw new ApiError(Code.Unknown, error.message);
    throw error;
  }
}

/** The same for windows that differ only in what they let through and how they are described. */
function identify({ kind, schedule, duration, applications, namespaces, clusters, timeZone, andOperator }: SyncWindow): string {
  const lists = [applications, namespaces, clusters].map((list) => list ?? []);
  const parts = [kind, schedule, duration, ...lists, timeZone || 'UTC', andOperator === true];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
