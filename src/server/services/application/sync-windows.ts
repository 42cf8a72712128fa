import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSyncWindow, ApplicationSyncWindowsResponse } from '../../../contract/index.ts';
import {
  canSync,
  isWindowActive,
  nextSyncTime,
  SyncWindowError,
  windowsFor,
  windowTimes,
  type Application,
  type AppProject,
  type SyncWindow,
} from '../../../model/index.ts';
import { formatTime } from '../../../objects/index.ts';

/** Throws ApiError where the windows of its project do not let somebody sync an application now. */
export function requireOpenWindow(application: Application, { spec }: AppProject, nowMs: number): void {
  const isOpen = withReadableWindows(() => canSync(windowsFor(application, spec.syncWindows ?? []), { nowMs, isManual: true }));
  if (!isOpen) throw new ApiError(Code.PermissionDenied, 'cannot sync: blocked by sync window');
}

/** The windows that speak about an application, and whether somebody may sync it now. */
export function describeWindows(application: Application, { spec }: AppProject, nowMs: number): ApplicationSyncWindowsResponse {
  const assigned = windowsFor(application, spec.syncWindows ?? []);
  return withReadableWindows(() => ({
    activeWindows: assigned.filter((window) => isWindowActive(window, nowMs)).map(describeWindow),
    assignedWindows: assigned.map(describeWindow),
    canSync: canSync(assigned, { nowMs, isManual: true }),
  }));
}

/** A window that speaks about an application, and when it is open. */
interface TimedWindow extends ApplicationSyncWindow {
  readonly description: string;
  readonly timeZone: string;
  readonly isActive: boolean;
  /** When it opens next; left out where that is more than a year away. */
  readonly opensAt?: string;
  /** When it closes, where it is open. */
  readonly closesAt?: string;
}

/** Whether somebody, or automation, may sync now, and when they may again. */
interface WindowVerdict {
  readonly allowed: boolean;
  /** When it is possible again; left out where it is possible now, or not within a month. */
  readonly allowedAt?: string;
}

export interface WindowTimes {
  readonly windows: readonly TimedWindow[];
  readonly manual: WindowVerdict;
  readonly automatic: WindowVerdict;
}

const AHEAD_MAX_MS = 366 * 86_400_000;

/** The same with times: what people want to know of windows is until when. */
export function describeWindowTimes(application: Application, { spec }: AppProject, nowMs: number): WindowTimes {
  const assigned = windowsFor(application, spec.syncWindows ?? []);
  const judge = (isManual: boolean): WindowVerdict => {
    if (canSync(assigned, { nowMs, isManual })) return { allowed: true };
    const next = nextSyncTime(assigned, { nowMs, isManual });
    return { allowed: false, ...(next !== undefined && { allowedAt: formatTime(next) }) };
  };
  return withReadableWindows(() => ({
    windows: assigned.map((window) => {
      const { opensMs, closesMs } = windowTimes(window, nowMs, nowMs + AHEAD_MAX_MS);
      return {
        ...describeWindow(window),
        description: window.description ?? '',
        timeZone: window.timeZone || 'UTC',
        isActive: isWindowActive(window, nowMs),
        ...(opensMs !== undefined && { opensAt: formatTime(opensMs) }),
        ...(closesMs !== undefined && { closesAt: formatTime(closesMs) }),
      };
    }),
    manual: judge(true),
    automatic: judge(false),
  }));
}

function describeWindow({ kind = '', schedule = '', duration = '', manualSync = false }: SyncWindow): ApplicationSyncWindow {
  return { kind, schedule, duration, manualSync };
}

function withReadableWindows<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof SyncWindowError) throw new ApiError(Code.PermissionDenied, `cannot sync: invalid sync window: ${error.message}`);
    throw error;
  }
}
