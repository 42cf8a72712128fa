import { contenderNames, type ContenderName } from './contenders.ts';
import type { KeptRun } from './kept-runs.ts';
import { quantile, round, type Figure, type Task } from './workload.ts';

/** What was measured of one task, run by run. */
export interface TaskResult {
  readonly task: Task;
  readonly runs: readonly KeptRun[];
}

/** One figure of all contenders. */
export interface ResultRow {
  readonly figure: Figure;
  readonly values: ReadonlyMap<ContenderName, { readonly middle: number; readonly least: number; readonly most: number }>;
  /** How many times better ours is than the better of theirs; undefined where one of them is missing. */
  readonly ratio: number | undefined;
  readonly verdict: 'reached' | 'missed' | undefined;
}

export function summarise({ task, runs }: TaskResult): readonly ResultRow[] {
  return task.workload.figures.map((figure) => {
    const values = new Map<ContenderName, { middle: number; least: number; most: number }>();
    for (const name of contenderNames) {
      const all = runs.flatMap(({ figures }) => figures[name]?.[figure.name] ?? []);
      if (all.length > 0) values.set(name, { middle: quantile(all, 0.5), least: Math.min(...all), most: Math.max(...all) });
    }
    const ours = values.get('Fairway')?.middle;
    const theirs = contenderNames.flatMap((name) => (name === 'Fairway' ? [] : [values.get(name)?.middle ?? []].flat()));
    const ratio = ours === undefined || theirs.length === 0 ? undefined : ratioOf(figure, ours, theirs);
    return { figure, values, ratio, verdict: ours === undefined ? undefined : judge(figure, ours, ratio) };
  });
}

function ratioOf({ better }: Figure, ours: number, theirs: readonly number[]): number {
  return round(better === 'more' ? ours / Math.max(...theirs) : Math.min(...theirs) / ours);
}

function judge({ goal, limit }: Figure, ours: number, ratio: number | undefined): ResultRow['verdict'] {
  if (goal === undefined && limit === undefined) return undefined;
  if (goal !== undefined && ratio === undefined) return undefined;
  const isReached = (goal === undefined || (ratio ?? 0) >= goal) && (limit === undefined || ours <= limit);
  return isReached ? 'reached' : 'missed';
}
