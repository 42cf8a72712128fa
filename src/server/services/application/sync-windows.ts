import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSyncWindow, ApplicationSyncWindowsResponse } from '../../../contract/index.ts';
import {
  canSync,
  isWindowActive,
  SyncWindowError,
  windowsFor,
  type Application,
  type AppProject,
  type SyncWindow,
} from '../../../model/index.ts';

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
