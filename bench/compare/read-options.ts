import { parseArgs } from 'node:util';
import { contenderNames, type ContenderName } from './contenders.ts';
import type { Task, Workload } from './workload.ts';

const IDLE_SECONDS = 300;
const RUNS = 3;

export interface CompareOptions {
  readonly tasks: readonly Task[];
  readonly runs: number;
  readonly contenders: readonly ContenderName[];
  /** Whether runs are kept and docs/benchmarks.md brought up to date: by these runs alone, or by these and those that were kept before. */
  readonly keeping: 'nothing' | 'these' | 'more';
}

export const USAGE = `usage: npm run bench -- compare [workload…] [options]
  --apps N        applications, instead of the sizes of a whole run
  --objects N     other objects in the cluster, for the workloads that have some
  --idle N        seconds during which nothing happens
  --runs N        how often everything is done (${RUNS})
  --only NAME     one contender: argocd, tuned or fairway; can be given again
  --write         keep these runs instead of those before, and bring docs/benchmarks.md up to date
  --add           keep them beside those before, and do the same`;

const SHORT_NAMES: Readonly<Record<string, ContenderName>> = {
  argocd: 'Argo CD, defaults',
  tuned: 'Argo CD, tuned',
  fairway: 'Fairway',
};

/** Reads the words after `compare`; throws what to tell whoever wrote them. */
export function readOptions(args: readonly string[], workloads: readonly Workload[]): CompareOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      apps: { type: 'string' },
      objects: { type: 'string' },
      idle: { type: 'string' },
      runs: { type: 'string' },
      only: { type: 'string', multiple: true },
      write: { type: 'boolean' },
      add: { type: 'boolean' },
    },
  });
  for (const name of positionals)
    if (!workloads.some((workload) => workload.name === name))
      throw new Error(`there is no workload ${name}; there are ${workloads.map((workload) => workload.name).join(', ')}`);
  const [apps, objects] = [readCount('apps', values.apps), readCount('objects', values.objects)];
  const idleSeconds = readCount('idle', values.idle) ?? IDLE_SECONDS;
  const chosen = workloads.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const tasks = chosen.flatMap((workload) =>
    (apps === undefined ? workload.sizes : [apps]).map((applications) => ({
      workload,
      scale: { applications, others: objects ?? workload.others ?? 0, idleSeconds },
    })),
  );
  return {
    tasks,
    runs: readCount('runs', values.runs) ?? RUNS,
    contenders: values.only === undefined ? contenderNames : values.only.map(readContender),
    keeping: values.add ? 'more' : values.write ? 'these' : 'nothing',
  };
}

/** Tasks of one flavour and size, which share an installation. */
export function groupTasks(tasks: readonly Task[]): readonly (readonly Task[])[] {
  return [...Map.groupBy(tasks, ({ workload, scale }) => `${workload.flavour} ${scale.applications}`).values()];
}

function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} takes a number, not ${text}`);
  return Number(text);
}

function readContender(name: string): ContenderName {
  const contender = SHORT_NAMES[name];
  if (contender === undefined) throw new Error(`--only takes ${Object.keys(SHORT_NAMES).join(', ')}, not ${name}`);
  return contender;
}
