import { expect, it } from 'vitest';
import type { ContenderName } from './contenders.ts';
import { summarise, type TaskResult } from './results.ts';
import type { Figure, Workload } from './workload.ts';
import { updatePage, writeSection } from './write-report.ts';

const circumstances = { version: 'v1', machine: '2 processors', loads: [0.1, 0.2], minutes: 3 };
const page = 'Before.\n\n<!-- measured: begin -->\n\n<!-- measured: end -->\n\nAfter.\n';

function resultOf(figure: Figure, values: Readonly<Record<ContenderName, readonly number[]>>): TaskResult {
  const workload: Workload = {
    name: 'plain',
    title: () => 'many applications',
    flavour: 'plain',
    sizes: [1],
    figures: [figure],
    prepare: () => Promise.resolve(),
    measure: () => Promise.resolve({}),
  };
  const count = Math.max(...Object.values(values).map((all) => all.length));
  const runs = Array.from({ length: count }, (_, index) => ({
    ...circumstances,
    date: `2026-01-0${index + 1}`,
    figures: Object.fromEntries(
      Object.entries(values).flatMap(([name, all]) => (all[index] === undefined ? [] : [[name, { [figure.name]: all[index] }]])),
    ),
  }));
  return { task: { workload, scale: { applications: 200, others: 0, idleSeconds: 0 } }, runs };
}

const seconds = { 'Argo CD, defaults': [50, 60, 70], 'Argo CD, tuned': [40, 45, 50], Fairway: [9, 10, 11] };

it('sets ours against the better of theirs, median against median', () => {
  expect(summarise(resultOf({ name: 'seconds', goal: 5 }, seconds))[0]).toMatchObject({ ratio: 4.5, verdict: 'missed' });
  expect(summarise(resultOf({ name: 'seconds', goal: 4 }, seconds))[0]).toMatchObject({ verdict: 'reached' });
});

it('takes more for better where more is', () => {
  expect(summarise(resultOf({ name: 'MB/s', better: 'more', goal: 0.2 }, seconds))[0]).toMatchObject({ ratio: 0.167, verdict: 'missed' });
});

it('holds a limit whatever theirs is, and judges nothing that was not measured', () => {
  expect(summarise(resultOf({ name: 'MB', goal: 2, limit: 5 }, seconds))[0]).toMatchObject({ verdict: 'missed' });
  const alone = resultOf({ name: 'MB', goal: 2 }, { 'Argo CD, defaults': [], 'Argo CD, tuned': [], Fairway: [3] });
  expect(summarise(alone)[0]).toMatchObject({ ratio: undefined, verdict: undefined });
});

it('writes a section with the spread of the runs', () => {
  const section = writeSection(resultOf({ name: 'seconds', goal: 5 }, seconds));
  expect(section).toContain('### Many applications\n');
  expect(section).toContain(
    '2026-01-01 to 2026-01-03, median of 3 runs (least–most), 2 processors, load average 0.1 to 0.2 before each, 3 min a run',
  );
  expect(section).toContain('| seconds | 60 (50–70) | 45 (40–50) | 10 (9–11) | 4.5× | 5× | missed |');
});

it('replaces what was measured again, keeps the rest, and puts all in order', () => {
  const order = ['plain-200', 'plain-1000', 'idle-1000'];
  const first = updatePage(
    page,
    new Map([
      ['idle-1000', 'Idle, old.'],
      ['plain-200', 'Plain.'],
    ]),
    order,
  );
  const second = updatePage(
    first,
    new Map([
      ['idle-1000', 'Idle, new.'],
      ['other-3', 'Small.'],
    ]),
    order,
  );
  expect(second).toBe(
    'Before.\n\n<!-- measured: begin -->\n\n<!-- plain-200 -->\n\nPlain.\n\n<!-- idle-1000 -->\n\nIdle, new.\n\n<!-- other-3 -->\n\nSmall.\n\n' +
      '<!-- measured: end -->\n\nAfter.\n',
  );
});

it('refuses a page that has no place for figures', () => {
  expect(() => updatePage('Nothing.', new Map(), [])).toThrow('the page has no part between');
});
