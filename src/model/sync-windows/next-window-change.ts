import type { SyncWindow } from '../../contract/index.ts';
import { SyncWindowError, windowTimes } from './sync-windows.ts';

/** Nobody waits longer than this without looking again. */
const AHEAD_MAX_MS = 86_400_000;
/** A window is open just after its time, not at it. */
const AFTER_MS = 1;

/**
 * When one of some windows opens or closes next, in milliseconds since the epoch; undefined where none does within a day. One that cannot be
 * read never does either.
 */
export function nextWindowChange(windows: readonly SyncWindow[], nowMs: number): number | undefined {
  const times = windows.flatMap((window) => {
    try {
      const { opensMs, closesMs } = windowTimes(window, nowMs, nowMs + AHEAD_MAX_MS);
      return [opensMs, closesMs].filter((time) => time !== undefined);
    } catch (error) {
      if (error instanceof SyncWindowError) return [];
      throw error;
    }
  });
  const ahead = times.filter((time) => time >= nowMs);
  return ahead.length === 0 ? undefined : Math.min(...ahead) + AFTER_MS;
}
