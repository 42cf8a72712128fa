import { contenderNames } from './contenders.ts';
import type { KeptRun } from './kept-runs.ts';
import { summarise, type ResultRow, type TaskResult } from './results.ts';

const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

/** One task as a section of the page. */
export function writeSection(result: TaskResult): string {
  const { task, runs } = result;
  const title = task.workload.title(task.scale);
  const head = ['', ...contenderNames, 'ratio', 'goal', ''];
  const lines = [head, head.map(() => '---'), ...summarise(result).map(writeRow)].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `### ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    `\`npm run bench -- compare ${task.workload.name} --apps ${task.scale.applications}\`, ${describeRuns(runs)}.`,
    '',
    ...lines,
  ].join('\n');
}

function describeRuns(runs: readonly KeptRun[]): string {
  const dates = span(runs.map(({ date }) => date).toSorted());
  const loads = runs.flatMap((run) => run.loads).toSorted((one, other) => one - other);
  const minutes = span(
    runs
      .map((run) => run.minutes)
      .toSorted((one, other) => one - other)
      .map(String),
  );
  const machines = [...new Set(runs.map(({ machine }) => machine))].join('; ');
  const times = runs.length === 1 ? 'one run' : `median of ${runs.length} runs (least–most)`;
  const load = span(loads.map((value) => value.toFixed(1)));
  return `${dates}, ${times}, ${machines}, load average ${load} before each, ${minutes} min a run with what shares its installation`;
}

function span(sorted: readonly string[]): string {
  const [least, most] = [sorted[0] ?? '', sorted.at(-1) ?? ''];
  return least === most ? least : `${least} to ${most}`;
}

function writeRow({ figure, values, ratio, verdict }: ResultRow): readonly string[] {
  const cells = contenderNames.map((name) => {
    const value = values.get(name);
    if (value === undefined) return '';
    return value.least === value.most ? write(value.middle) : `${write(value.middle)} (${write(value.least)}–${write(value.most)})`;
  });
  const goal = [figure.goal && `${figure.goal}×`, figure.limit && `at most ${figure.limit}`].filter(Boolean).join(', ');
  return [figure.name, ...cells, ratio === undefined ? '' : `${ratio}×`, goal, verdict ?? ''];
}

function write(value: number): string {
  return value >= 10_000 ? Math.round(value).toLocaleString('en') : String(value);
}

/**
 * Puts sections into the part of a page that is measured, in the order of `order`. Those of other tasks stay as they are, so that the workloads
 * can be run one by one.
 */
export function updatePage(page: string, sections: ReadonlyMap<string, string>, order: readonly string[]): string {
  const [before, measured, after] = splitPage(page);
  const known = new Map([...readSections(measured), ...sections]);
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const keys = [...known.keys()].toSorted((one, other) => rank(one) - rank(other));
  const body = keys.map((key) => `<!-- ${key} -->\n\n${known.get(key)}`).join('\n\n');
  return `${before}${BEGIN}\n\n${body}\n\n${END}${after}`;
}

function splitPage(page: string): readonly [before: string, measured: string, after: string] {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no part between ${BEGIN} and ${END}`);
  return [page.slice(0, begin), page.slice(begin + BEGIN.length, end), page.slice(end + END.length)];
}

function readSections(measured: string): Map<string, string> {
  const [, ...parts] = measured.split(/^<!-- (\S+) -->$/m);
  const sections = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) sections.set(parts[index] ?? '', (parts[index + 1] ?? '').trim());
  return sections;
}
