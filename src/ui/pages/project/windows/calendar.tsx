import { useEffect, useRef, type CSSProperties, type ReactElement } from 'react';
import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { readText, useSearchValues } from '../../../app/index.ts';
import { Button, Segments } from '../../../design/index.ts';
import { blocksOf, dateOf, daysOfWeek, HEIGHT_MIN, shiftWeek, type Block, type Clock, type WeekDay } from './week.ts';

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21];
/** Of the column with the hours, as the style sheet has it. */
const HOURS_WIDTH = 46;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

interface CalendarProps {
  readonly windows: readonly SyncWindow[];
  /** Called with the place of a window that somebody chose; those who may not change any cannot choose. */
  readonly onOpen: ((index: number) => void) | undefined;
}

/** A week, and when in it each window is open. */
export function Calendar({ windows, onOpen }: CalendarProps): ReactElement {
  const [search, change] = useSearchValues();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clock: Clock = readText(search['clock']) === 'utc' || zone === 'UTC' ? 'utc' : 'local';
  const today = dateOf(Date.now(), clock);
  const days = daysOfWeek(readText(search['week']), clock) ?? daysOfWeek(today, clock)!;
  const go = (week: string): void =>
    change({ week: daysOfWeek(week, clock)?.[0]?.startMs === daysOfWeek(today, clock)![0]!.startMs ? undefined : week });
  const blocks = blocksOf(windows, days);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen the week does not fit: begin with today.
    const shown = scroller.current?.querySelector<HTMLElement>('[data-today]');
    if (shown) scroller.current!.scrollLeft = shown.offsetLeft - HOURS_WIDTH;
  }, []);
  return (
    <section aria-label="Calendar" className="card windows-calendar">
      <div className="row windows-calendar-head">
        <Button look="quiet" icon="chevronRight" label="Week before" onClick={() => go(shiftWeek(days, -1, clock))} />
        <h2>{formatWeek(days, clock)}</h2>
        <Button look="quiet" icon="chevronRight" label="Week after" onClick={() => go(shiftWeek(days, 1, clock))} />
        <Button look="quiet" disabledReason={dateInWeek(today, days, clock) ? 'This is the week' : undefined} onClick={() => go(today)}>
          This week
        </Button>
        <span className="grow" />
        <span className="windows-key" data-tone="good">
          allows
        </span>
        <span className="windows-key" data-tone="bad">
          denies
        </span>
        {zone === 'UTC' ? (
          <span className="faint">UTC</span>
        ) : (
          <Segments
            label="Time zone of the calendar"
            segments={[
              { id: 'local', title: zone },
              { id: 'utc', title: 'UTC' },
            ]}
            value={clock}
            onChange={(next) => change({ clock: next === 'utc' ? 'utc' : undefined })}
          />
        )}
      </div>
      <div ref={scroller} className="windows-scroll" role="region" aria-label="Week" tabIndex={0}>
        <div className="windows-week">
          <div className="windows-hours" aria-hidden="true">
            {HOURS.map((hour) => (
              <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
                {String(hour).padStart(2, '0')}:00
              </span>
            ))}
          </div>
          {days.map((day, index) => (
            <Day
              key={day.startMs}
              {...{ day, windows, clock, onOpen }}
              isToday={dateOf(day.startMs, clock) === today}
              blocks={blocks.filter((block) => block.day === index)}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

interface DayProps extends CalendarProps {
  readonly day: WeekDay;
  readonly clock: Clock;
  readonly isToday: boolean;
  readonly blocks: readonly Block[];
}

function Day({ day, clock, isToday, blocks, windows, onOpen }: DayProps): ReactElement {
  const now = (Date.now() - day.startMs) / (day.endMs - day.startMs);
  return (
    <section
      className="windows-day"
      data-today={isToday || undefined}
      aria-label={format(day.startMs, clock, { weekday: 'long', day: 'numeric', month: 'long' })}
    >
      <h3>
        {format(day.startMs, clock, { weekday: 'short' })} {format(day.startMs, clock, { day: 'numeric' })}
      </h3>
      <div className="windows-lanes">
        {blocks.map((block) => (
          <BlockView
            key={`${block.index} ${block.startMs}`}
            {...{ block, day, clock }}
            window={windows[block.index]!}
            onOpen={onOpen && (() => onOpen(block.index))}
          />
        ))}
        {isToday && now >= 0 && now <= 1 && <div className="windows-now" style={{ top: `${now * 100}%` }} aria-hidden="true" />}
      </div>
    </section>
  );
}

interface BlockViewProps {
  readonly block: Block;
  readonly day: WeekDay;
  readonly clock: Clock;
  readonly window: SyncWindow;
  readonly onOpen: (() => void) | undefined;
}

function BlockView({ block, day, clock, window, onOpen }: BlockViewProps): ReactElement {
  const isDeny = window.kind === 'deny';
  const style: CSSProperties = {
    top: `${Math.min(block.top, 1 - HEIGHT_MIN) * 100}%`,
    height: `${Math.max(block.height, HEIGHT_MIN) * 100}%`,
    left: `${(block.lane / block.lanes) * 100}%`,
    width: `calc(${100 / block.lanes}% - 2px)`,
  };
  const span = [block.startMs, block.endMs].map((ms) => format(ms, clock, { weekday: 'short', ...TIME }));
  const label = `${isDeny ? 'Denies' : 'Allows'} ${span.join(' to ')}`;
  const looks = { className: 'windows-block', style, title: label, 'data-tone': isDeny ? 'bad' : 'good' } as const;
  // What began the day before says when it ends.
  const time = block.startMs < day.startMs ? `until ${format(block.endMs, clock, TIME)}` : format(block.startMs, clock, TIME);
  const words = (
    <>
      <span className="windows-words">
        <strong>{block.startMs < day.startMs && block.endMs > day.endMs ? 'all day' : time}</strong> {window.description || window.schedule}
      </span>
      <span className="visually-hidden"> {label}</span>
    </>
  );
  return onOpen === undefined ? (
    <div {...looks}>{words}</div>
  ) : (
    <button type="button" {...looks} onClick={onOpen}>
      {words}
    </button>
  );
}

function format(ms: number, clock: Clock, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(undefined, { ...options, ...(clock === 'utc' && { timeZone: 'UTC' }) }).format(ms);
}

function formatWeek(days: readonly WeekDay[], clock: Clock): string {
  const options = { day: 'numeric', month: 'short' } as const;
  return `${format(days[0]!.startMs, clock, options)} – ${format(days.at(-1)!.startMs, clock, { ...options, year: 'numeric' })}`;
}

function dateInWeek(date: string, days: readonly WeekDay[], clock: Clock): boolean {
  return days.some(({ startMs }) => dateOf(startMs, clock) === date);
}
