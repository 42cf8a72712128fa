/**
 * Argo CD as it comes, Argo CD tuned, and Fairway, one after the other, each on a fresh control plane: the workloads in `workloads/`, at the
 * sizes of a whole run or at those that are asked for. See docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { allWorkloads } from './all-workloads.ts';
import { startContender, type ContenderName } from './contenders.ts';
import { createCrowd } from './crowd.ts';
import { readKeptRuns, writeKeptRuns, type KeptRun } from './kept-runs.ts';
import { groupTasks, readOptions, USAGE, type CompareOptions } from './read-options.ts';
import { summarise, type TaskResult } from './results.ts';
import { openStage } from './stage.ts';
import { keyOf, type Figures, type Task } from './workload.ts';
import { updatePage, writeSection } from './write-report.ts';

const PAGE = new URL('../../docs/benchmarks.md', import.meta.url);

const options = readOptionsOrTell();
if (options === undefined) process.exitCode = 2;
else await compare(options);

function readOptionsOrTell(): CompareOptions | undefined {
  try {
    return readOptions(process.argv.slice(3), allWorkloads);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return undefined;
  }
}

async function compare(options: CompareOptions): Promise<void> {
  for (const group of groupTasks(options.tasks)) await compareGroup(group, options);
}

async function compareGroup(group: readonly Task[], { runs, contenders, keeping }: CompareOptions): Promise<void> {
  const version = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const measured = new Map(group.map((task): [Task, KeptRun[]] => [task, []]));
  for (let run = 1; run <= runs; run += 1) {
    const startMs = performance.now();
    const loads: number[] = [];
    const figures = new Map(group.map((task): [Task, Record<string, Figures>] => [task, {}]));
    for (const name of contenders) {
      loads.push(Math.round((loadavg()[0] ?? 0) * 10) / 10);
      for (const [task, own] of await runGroupTwice(group, name, run)) Object.assign(figures.get(task) ?? {}, { [name]: own });
    }
    const minutes = Math.max(1, Math.round((performance.now() - startMs) / 60_000));
    const circumstances = { date: new Date().toISOString().slice(0, 10), version, machine: describeMachine(), loads, minutes };
    for (const [task, own] of figures) measured.get(task)?.push({ ...circumstances, figures: own });
    // What took an hour is not to be lost with what comes after it.
    if (keeping !== 'nothing') for (const task of group) keep(task, measured.get(task)?.slice(-1) ?? [], run > 1 || keeping === 'more');
  }
  for (const [task, own] of measured) print({ task, runs: own });
  if (keeping !== 'nothing') writePage(group);
}

function keep(task: Task, runs: readonly KeptRun[], isAdded: boolean): void {
  const key = keyOf(task);
  const whole = runs.filter(({ figures }) => Object.keys(figures).length > 0);
  writeKeptRuns(key, [...(isAdded ? readKeptRuns(key) : []), ...whole]);
}

function writePage(group: readonly Task[]): void {
  const sections = new Map(group.map((task) => [keyOf(task), writeSection({ task, runs: readKeptRuns(keyOf(task)) })]));
  const order = allWorkloads.flatMap((workload) => workload.sizes.map((applications) => `${workload.name}-${applications}`));
  writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8'), sections, order));
}

/** A control plane that does not come up on a busy machine must not cost what was measured in hours. */
async function runGroupTwice(group: readonly Task[], name: ContenderName, run: number): Promise<ReadonlyMap<Task, Figures>> {
  try {
    return await runGroup(group, name, run);
  } catch (error) {
    console.error(`run ${run}, ${name}: does not start, once more:`, error);
    return runGroup(group, name, run);
  }
}

/** What one contender does with the tasks of a group. A task that fails is told, and the next one goes on. */
async function runGroup(group: readonly Task[], name: ContenderName, run: number): Promise<ReadonlyMap<Task, Figures>> {
  const figures = new Map<Task, Figures>();
  const { workload: first, scale } = group[0] as Task;
  await using crowd = await createCrowd(scale.applications, first.flavour);
  const contender = await startContender(name);
  try {
    await using shared = await openStage(contender, crowd, scale);
    for (const task of group) {
      const { workload } = task;
      const stage = { ...shared, scale: task.scale };
      const startMs = performance.now();
      try {
        await workload.prepare(stage);
        const result = await workload.measure(stage);
        figures.set(task, result);
        console.log(`run ${run}, ${keyOf(task)}, ${name}, ${secondsSince(startMs)} s:`, JSON.stringify(result));
      } catch (error) {
        console.error(`run ${run}, ${keyOf(task)}, ${name}, ${secondsSince(startMs)} s: FAILED:`, error);
      }
    }
  } finally {
    await contender.stop();
  }
  return figures;
}

function print(result: TaskResult): void {
  const { task } = result;
  console.log(`\n${task.workload.title(task.scale)}`);
  console.table(
    summarise(result).map(({ figure, values, ratio, verdict }) => ({
      figure: figure.name,
      ...Object.fromEntries([...values].map(([name, { middle }]) => [name, middle])),
      ratio: ratio ?? '',
      goal: [figure.goal && `${figure.goal} times`, figure.limit && `at most ${figure.limit}`].filter(Boolean).join(', '),
      verdict: verdict ?? '',
    })),
  );
}

function describeMachine(): string {
  const [processor] = cpus();
  return `${cpus().length} × ${processor?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

function secondsSince(startMs: number): number {
  return Math.round((performance.now() - startMs) / 1_000);
}
