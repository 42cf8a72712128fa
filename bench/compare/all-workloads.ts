import type { Workload } from './workload.ts';
import { creation } from './workloads/creation.ts';
import { idle } from './workloads/idle.ts';
import { large } from './workloads/large.ts';
import { list } from './workloads/list.ts';
import { push } from './workloads/push.ts';
import { restart } from './workloads/restart.ts';
import { watch } from './workloads/watch.ts';
import { waves } from './workloads/waves.ts';

/** In the order in which they run where they share an installation. */
export const allWorkloads: readonly Workload[] = [
  creation('plain'),
  idle,
  list,
  watch,
  waves,
  // Before somebody commits: what is at a new revision and differs would be synced, and never be seen to differ.
  restart,
  push,
  large,
  creation('kustomize'),
  creation('helm'),
];
