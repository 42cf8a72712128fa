import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { openingsBetween, type Opening } from './window-times.ts';

const DAY_MS = 86_400_000;
/** Shorter ones are drawn as if they took this part of a day, or nobody could see or hit them. */
export const HEIGHT_MIN = 0.03;

/** In whose time the calendar is drawn. */
export type Clock = 'local' | 'utc';

export interface WeekDay {
  readonly startMs: number;
  readonly endMs: number;
}

/** A part of an opening, on one day of the week. */
export interface Block extends Opening {
  /** Which of the windows it is. */
  readonly index: number;
  readonly day: number;
  /** From the top of the day, as a part of it. */
  readonly top: number;
  readonly height: number;
  /** Blocks that overlap stand side by side: in which lane, of how many. */
  readonly lane: number;
  readonly lanes: number;
}

/** The seven days, Monday first, of the week that a date is in; undefined for a text that is no date. Days are as long as they are. */
export function daysOfWeek(date: string, clock: Clock): readonly WeekDay[] | undefined {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = (offset: number): number =>
    clock === 'utc' ? Date.UTC(year, month - 1, day + offset) : new Date(year, month - 1, day + offset).getTime();
  if (Number.isNaN(at(0))) return undefined;
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const monday = -((weekday + 6) % 7);
  return Array.from({ length: 7 }, (_, index) => ({ startMs: at(monday + index), endMs: at(monday + index + 1) }));
}

/** The date on which a moment is, as `2026-03-02`. */
export function dateOf(ms: number, clock: Clock): string {
  const date = new Date(ms);
  const parts =
    clock === 'utc'
      ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      : [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Another week. */
export function shiftWeek(days: readonly WeekDay[], weeks: number, clock: Clock): string {
  // The middle of Thursday: an hour more or less does not leave the week.
  return dateOf(days[3]!.startMs + DAY_MS / 2 + weeks * 7 * DAY_MS, clock);
}

type Loose = Omit<Block, 'lane' | 'lanes'>;

/** What is drawn in a week: openings cut at midnight. Windows that cannot be read have none. */
export function blocksOf(windows: readonly SyncWindow[], days: readonly WeekDay[]): readonly Block[] {
  const [first, last] = [days[0]!, days.at(-1)!];
  const loose = windows.flatMap((window, index) =>
    readOpenings(window, first.startMs, last.endMs).flatMap((opening) =>
      days.flatMap((day, at): Loose[] => {
        const [from, to] = [Math.max(opening.startMs, day.startMs), Math.min(opening.endMs, day.endMs)];
        const length = day.endMs - day.startMs;
        return from >= to ? [] : [{ ...opening, index, day: at, top: (from - day.startMs) / length, height: (to - from) / length }];
      }),
    ),
  );
  return days.flatMap((_day, at) => placeSideBySide(loose.filter(({ day }) => day === at)));
}

/** Gives each window a lane for as long as it overlaps others, so that none hides another. */
function placeSideBySide(blocks: readonly Loose[]): readonly Block[] {
  const groups: { end: number; readonly blocks: Loose[] }[] = [];
  for (const block of blocks.toSorted((one, other) => one.top - other.top || one.index - other.index)) {
    // Drawn at least so high, it needs at least so much room.
    const end = block.top + Math.max(block.height, HEIGHT_MIN);
    const group = groups.at(-1);
    if (group !== undefined && block.top < group.end) {
      group.blocks.push(block);
      group.end = Math.max(group.end, end);
    } else groups.push({ end, blocks: [block] });
  }
  return groups.flatMap((group) => {
    const indexes = [...new Set(group.blocks.map(({ index }) => index))].toSorted((one, other) => one - other);
    return group.blocks.map((block) => ({ ...block, lane: indexes.indexOf(block.index), lanes: indexes.length }));
  });
}

function readOpenings(window: SyncWindow, fromMs: number, untilMs: number): readonly Opening[] {
  try {
    return openingsBetween(window, fromMs, untilMs);
  } catch {
    // The list below the calendar says what is wrong with it.
    return [];
  }
}
