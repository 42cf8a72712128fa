import type { SyncWindow } from '../../contract/index.ts';
import { nextWindowChange } from './next-window-change.ts';
import { canSync, type SyncTime } from './sync-windows.ts';

const DAY_MS = 86_400_000;
const AHEAD_MAX_MS = 31 * DAY_MS;
/** A window may open every minute: so often is looked at most. */
const LOOKS_MAX = 5_000;

/**
 * When windows that keep an application from being synced next let it, in milliseconds since the epoch; undefined where they do not within a
 * month. Throws SyncWindowError.
 */
export function nextSyncTime(windows: readonly SyncWindow[], { nowMs, isManual }: Omit<SyncTime, 'startedAtMs'>): number | undefined {
  let timeMs = nowMs;
  for (let looks = 0; looks < LOOKS_MAX && timeMs < nowMs + AHEAD_MAX_MS; looks++) {
    const change = nextWindowChange(windows, timeMs);
    timeMs = change ?? timeMs + DAY_MS;
    // A change is told a millisecond late, when the window is as it will be.
    if (canSync(windows, { nowMs: timeMs, isManual })) return change === undefined ? undefined : timeMs - 1;
  }
  return undefined;
}
