import { canSync, SyncWindowError, windowsFor, type Application, type AppProject, type SyncTime } from '../../model/index.ts';

/** Whether the windows of its project let an application be synced; where they cannot be read they do not, and `problem` says why. */
export function askWindows(
  application: Application,
  { spec }: AppProject,
  time: SyncTime,
): { readonly isOpen: boolean; readonly problem?: string } {
  try {
    return { isOpen: canSync(windowsFor(application, spec.syncWindows ?? []), time) };
  } catch (error) {
    if (error instanceof SyncWindowError) return { isOpen: false, problem: error.message };
    throw error;
  }
}
