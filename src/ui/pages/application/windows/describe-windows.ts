import { formatAge } from '../../../design/index.ts';
import type { SyncWindows, TimedWindow } from './use-sync-windows.ts';

/** A moment as people say it: the time, with the day where it is another one, and how far away it is. */
export function describeMoment(time: string, nowMs: number): string {
  const at = new Date(time);
  const isToday = new Date(nowMs).toDateString() === at.toDateString();
  const clock = at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  const day = isToday ? '' : `${at.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })}, `;
  const away = at.getTime() - nowMs;
  return `${day}${clock}${away > 0 ? ` (in ${formatAge(away)})` : ''}`;
}

/** Why nobody can sync now, and until when; undefined where somebody can. */
export function forbidsSync({ windows, manual }: SyncWindows, nowMs: number): string | undefined {
  if (manual.allowed) return undefined;
  const until = manual.allowedAt === undefined ? '' : ` until ${describeMoment(manual.allowedAt, nowMs)}`;
  const denying = windows.find(({ kind, isActive, manualSync }) => kind === 'deny' && isActive && !manualSync);
  if (denying === undefined) return `No sync window is open${until}`;
  return `A sync window forbids syncs${until}${denying.description === '' ? '' : `: ${denying.description}`}`;
}

/** The same for automation, where people still can. */
export function holdsAutomation({ manual, automatic }: SyncWindows, nowMs: number): string | undefined {
  if (automatic.allowed || !manual.allowed) return undefined;
  const until = automatic.allowedAt === undefined ? '' : ` until ${describeMoment(automatic.allowedAt, nowMs)}`;
  return `Sync windows keep automation waiting${until}; somebody can still sync by hand`;
}

/** When a window is open. */
export function describeTimes({ isActive, opensAt, closesAt }: TimedWindow, nowMs: number): string {
  if (isActive) return closesAt === undefined ? 'open now' : `open until ${describeMoment(closesAt, nowMs)}`;
  return opensAt === undefined ? 'not open within a year' : `opens ${describeMoment(opensAt, nowMs)}`;
}
