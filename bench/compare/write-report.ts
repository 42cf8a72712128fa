import { contenderNames } from './contenders.ts';
import { summarise, type ResultRow, type TaskResult } from './results.ts';

/** When and where something was measured. */
export interface Circumstances {
  readonly date: string;
  /** Such as `2 processors (…), 24 GB, Node 24`. */
  readonly machine: string;
  /** Load averages seen while it was measured. */
  readonly load: string;
  readonly minutes: number;
  readonly runs: number;
}

const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

/** One task as a section of the page. */
export function writeSection(result: TaskResult, { date, machine, load, minutes, runs }: Circumstances): string {
  const { task } = result;
  const title = task.workload.title(task.scale);
  const head = ['', ...contenderNames, 'ratio', 'goal', ''];
  const lines = [head, head.map(() => '---'), ...summarise(result).map(writeRow)].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `### ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    `\`npm run bench -- compare ${task.workload.name} --apps ${task.scale.applications}\`, ${date}, ${runs === 1 ? 'one run' : `median of ${runs} runs (least–most)`}, ` +
      `${machine}, load average ${load}, ${minutes} min with what shares its installation.`,
    '',
    ...lines,
  ].join('\n');
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
