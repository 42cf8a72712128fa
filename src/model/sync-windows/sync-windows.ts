import { LruMap } from '../../base/index.ts';
import type { Application, SyncWindow } from '../../contract/index.ts';
import { matchesGlob } from '../glob.ts';
import { parseDuration } from '../parse-duration.ts';
import { CronError, parseCronSchedule } from './cron-schedule.ts';

/** A window that cannot be read; the message is for the user. */
export class SyncWindowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SyncWindowError';
  }
}

const DESCRIPTION_LENGTH_MAX = 255;
/** More than all values of all fields written out. Windows are read whenever an application is looked at. */
const SCHEDULE_LENGTH_MAX = 1_000;

/** Throws SyncWindowError where a window means nothing. */
export function checkSyncWindow(window: SyncWindow): void {
  const { kind = '', schedule = '', duration = '', description = '' } = window;
  if (kind !== 'allow' && kind !== 'deny') throw new SyncWindowError(`kind '${kind}' mismatch: can only be allow or deny`);
  readSchedule(schedule);
  readDuration(duration);
  if (description.length > DESCRIPTION_LENGTH_MAX) throw new SyncWindowError('description must not exceed 255 characters');
}

function readSchedule(schedule: string): ReturnType<typeof parseCronSchedule> {
  if (schedule.length > SCHEDULE_LENGTH_MAX)
    throw new SyncWindowError(`cannot parse schedule '${schedule.slice(0, 50)}…': it has more than ${SCHEDULE_LENGTH_MAX} characters`);
  try {
    return parseCronSchedule(schedule);
  } catch (error) {
    if (error instanceof CronError) throw new SyncWindowError(`cannot parse schedule '${schedule}': ${error.message}`);
    throw error;
  }
}

function readDuration(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds !== undefined) return milliseconds;
  const reason = /\d\.?$/.test(duration) ? 'missing unit in duration' : 'invalid duration';
  throw new SyncWindowError(`cannot parse duration '${duration}': time: ${reason} ${JSON.stringify(duration)}`);
}

/** The windows that speak about an application: by its name, the namespace or the cluster that it goes to, or all that they name. */
export function windowsFor({ metadata, spec }: Application, windows: readonly SyncWindow[]): readonly SyncWindow[] {
  const { server = '', name = '', namespace = '' } = spec.destination;
  const fits = (patterns: readonly string[] | undefined, ...texts: readonly string[]): boolean | undefined =>
    patterns === undefined || patterns.length === 0
      ? undefined
      : patterns.some((pattern) => texts.some((text) => text !== '' && matchesGlob(pattern, text)));
  return windows.filter((window) => {
    const found = [fits(window.applications, metadata.name ?? ''), fits(window.clusters, server, name), fits(window.namespaces, namespace)];
    const named = found.filter((one) => one !== undefined);
    return named.length > 0 && (window.andOperator === true ? named.every(Boolean) : named.some(Boolean));
  });
}

/** Whether a window is open. Throws SyncWindowError. */
export function isWindowActive({ schedule = '', duration = '', timeZone = '' }: SyncWindow, nowMs: number): boolean {
  // The schedule is read with the zone's offset of this moment, also where the window began before the clocks changed.
  const now = nowMs + zoneOffsetMs(timeZone, nowMs);
  const next = readSchedule(schedule).next(now - readDuration(duration), now);
  return next !== undefined && next < now;
}

/** When a window opens next, and when one that is open closes; undefined where that is after `untilMs`. Throws SyncWindowError. */
export function windowTimes(
  { schedule = '', duration = '', timeZone = '' }: SyncWindow,
  nowMs: number,
  untilMs: number,
): { readonly opensMs: number | undefined; readonly closesMs: number | undefined } {
  const offsetMs = zoneOffsetMs(timeZone, nowMs);
  const now = nowMs + offsetMs;
  const [times, lengthMs] = [readSchedule(schedule), readDuration(duration)];
  const opened = times.next(now - lengthMs, now);
  const opens = times.next(now, untilMs + offsetMs);
  return {
    opensMs: opens !== undefined && opens - offsetMs <= untilMs ? opens - offsetMs : undefined,
    closesMs: opened !== undefined && opened < now ? opened + lengthMs - offsetMs : undefined,
  };
}

/** How far a zone's clocks are ahead of UTC; a zone that nobody knows is UTC. */
function zoneOffsetMs(timeZone: string, nowMs: number): number {
  // An offset such as `+05:00` is no name of a zone.
  if (timeZone === '' || timeZone === 'UTC' || /^[+-]/.test(timeZone)) return 0;
  try {
    const name =
      zoneFormat(timeZone)
        .formatToParts(nowMs)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

/** Making a format costs a hundred times what using it does. */
const zoneFormats = new LruMap<string, Intl.DateTimeFormat>(64);

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = zoneFormats.get(timeZone);
  if (format === undefined)
    zoneFormats.set(timeZone, (format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })));
  return format;
}

export interface SyncTime {
  readonly nowMs: number;
  /** Somebody asked for the sync; it is not automation's. */
  readonly isManual: boolean;
  /** When the operation began, where it runs already. */
  readonly startedAtMs?: number;
}

/** Whether an application may be synced now, by the windows that speak about it. Throws SyncWindowError. */
export function canSync(windows: readonly SyncWindow[], { nowMs, isManual, startedAtMs }: SyncTime): boolean {
  if (windows.length === 0) return true;
  const passes = (closed: readonly SyncWindow[]): boolean => {
    if (isManual && closed.every(({ manualSync }) => manualSync === true)) return true;
    const mayOverrun = startedAtMs !== undefined && closed.every(({ syncOverrun }) => syncOverrun === true);
    return mayOverrun && canSync(windows, { nowMs: startedAtMs, isManual });
  };
  const active = windows.filter((window) => isWindowActive(window, nowMs));
  const denied = active.filter(({ kind }) => kind === 'deny');
  if (denied.length > 0) return passes(denied);
  if (active.some(({ kind }) => kind === 'allow')) return true;
  const closed = windows.filter(({ kind }) => kind === 'allow');
  return closed.length === 0 || passes(closed);
}
