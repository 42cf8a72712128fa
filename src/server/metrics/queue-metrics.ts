import type { WorkObserver, WorkQueueCounts } from '../../kube/index.ts';
import type { Registry } from './registry.ts';

/** As the clients of Kubernetes divide the times of their queues. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];

export interface QueueMetrics {
  readonly observer: WorkObserver;
  /** From here on the figures are those of this queue. */
  follow(counts: () => WorkQueueCounts): void;
}

/** Figures of a work queue under the names that dashboards of Kubernetes controllers know. */
export function createQueueMetrics(registry: Registry, name: string): QueueMetrics {
  let counts: (() => WorkQueueCounts) | undefined;
  const gauge = (metric: string, help: string, value: (counts: WorkQueueCounts) => number): void =>
    registry.readRows({
      name: `workqueue_${metric}`,
      help,
      type: 'gauge',
      labels: ['name'],
      *rows() {
        yield [[name], counts === undefined ? 0 : value(counts())];
      },
    });
  gauge('depth', 'Keys that wait for their turn.', ({ ready }) => ready);
  gauge(
    'longest_running_processor_seconds',
    'Seconds that the work has taken that runs longest.',
    ({ longestRunningMs }) => longestRunningMs / 1_000,
  );
  gauge('unfinished_work_seconds', 'Seconds that the work has taken that is not done yet, together.', ({ runningMs }) => runningMs / 1_000);
  const adds = registry.counter({ name: 'workqueue_adds_total', help: 'Keys that were added.', labels: ['name'] }).at(name);
  const retries = registry.counter({ name: 'workqueue_retries_total', help: 'Keys whose work failed.', labels: ['name'] }).at(name);
  const histogram = (metric: string, help: string): { observe(seconds: number): void } =>
    registry.histogram({ name: `workqueue_${metric}`, help, labels: ['name'], buckets }).at(name);
  const waits = histogram('queue_duration_seconds', 'Seconds that keys waited for their turn.');
  const works = histogram('work_duration_seconds', 'Seconds that the work on a key took.');
  return {
    observer: {
      added: () => adds.add(1),
      started: (_group, waitedMs) => waits.observe(waitedMs / 1_000),
      finished(_group, tookMs, outcome) {
        works.observe(tookMs / 1_000);
        if (outcome === 'failed') retries.add(1);
      },
    },
    follow(next) {
      counts = next;
    },
  };
}
