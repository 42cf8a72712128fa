import { expect, it } from 'vitest';
import { blocksOf, dateOf, daysOfWeek, shiftWeek } from './week.ts';

const show = (date: string): readonly string[] | undefined =>
  daysOfWeek(date, 'utc')?.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10));

it('begins on Monday, whichever day is asked for', () => {
  expect(show('2026-03-04')).toEqual(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08']);
  expect(show('2026-03-08')?.[0]).toBe('2026-03-02');
  expect(show('2026-03-09')?.[0]).toBe('2026-03-09');
  expect(show('soon')).toBeUndefined();
});

it('goes on and back by weeks', () => {
  const days = daysOfWeek('2026-12-30', 'utc')!;
  expect([-1, 1].map((weeks) => show(shiftWeek(days, weeks, 'utc'))?.[0])).toEqual(['2026-12-21', '2027-01-04']);
  expect(dateOf(Date.parse('2026-03-02T23:00:00Z'), 'utc')).toBe('2026-03-02');
});

it('cuts what goes past midnight, and leaves out what cannot be read', () => {
  const days = daysOfWeek('2026-03-02', 'utc')!;
  const windows = [
    { schedule: 'never', duration: '1h' },
    { schedule: '0 18 * * tue', duration: '12h' },
  ];
  expect(blocksOf(windows, days).map(({ index, day, top, height }) => ({ index, day, top, height }))).toEqual([
    { index: 1, day: 1, top: 0.75, height: 0.25 },
    { index: 1, day: 2, top: 0, height: 0.25 },
  ]);
});

it('puts side by side what overlaps, and only that', () => {
  const days = daysOfWeek('2026-03-02', 'utc')!;
  const windows = [
    { schedule: '0 8 * * mon', duration: '4h' },
    { schedule: '0 10 * * mon', duration: '4h' },
    { schedule: '0 20 * * mon', duration: '1h' },
  ];
  expect(blocksOf(windows, days).map(({ index, lane, lanes }) => ({ index, lane, lanes }))).toEqual([
    { index: 0, lane: 0, lanes: 2 },
    { index: 1, lane: 1, lanes: 2 },
    { index: 2, lane: 0, lanes: 1 },
  ]);
});
