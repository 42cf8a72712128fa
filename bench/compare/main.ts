/**
 * Argo CD as it comes, Argo CD tuned, and Fairway, one after the other, each on a fresh control plane: the workloads in `workloads/`, at the
 * sizes of a whole run or at those that are asked for. See docs/benchmarks.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { allWorkloads } from './all-workloads.ts';
import { startContender, type ContenderName } from './contenders.ts';
import { createCrowd } from './crowd.ts';
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

async function compareGroup(group: readonly Task[], { runs, contenders, isWritten }: CompareOptions): Promise<void> {
  const startMs = performance.now();
  const loads: number[] = [];
  const measured = new Map(group.map((task) => [task, new Map<ContenderName, Figures[]>()]));
  for (let run = 1; run <= runs; run += 1)
    for (const name of contenders) {
      loads.push(loadavg()[0] ?? 0);
      for (const [task, figures] of await runGroupTwice(group, name, run)) {
        const all = measured.get(task);
        all?.set(name, [...(all.get(name) ?? []), figures]);
      }
    }
  const minutes = Math.max(1, Math.round((performance.now() - startMs) / 60_000));
  const load = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  const sections = new Map<string, string>();
  for (const [task, byContender] of measured) {
    const result: TaskResult = { task, runs: byContender };
    print(result);
    const date = new Date().toISOString().slice(0, 10);
    sections.set(keyOf(task), writeSection(result, { date, machine: describeMachine(), load, minutes, runs }));
  }
  const order = allWorkloads.flatMap((workload) => workload.sizes.map((applications) => `${workload.name}-${applications}`));
  if (isWritten) writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8'), sections, order));
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
