import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Registry } from './registry.ts';

/** Figures about this process: its processor time, memory, open handles and how late its event loop is. */
export function addProcessMetrics(registry: Registry): void {
  const gauge = (name: string, help: string, value: () => number) => registry.read({ name, help, type: 'gauge', value });
  const counter = (name: string, help: string, value: () => number) => registry.read({ name, help, type: 'counter', value });

  counter('process_cpu_user_seconds_total', 'User processor time spent.', () => process.cpuUsage().user / 1e6);
  counter('process_cpu_system_seconds_total', 'System processor time spent.', () => process.cpuUsage().system / 1e6);
  gauge('process_start_time_seconds', 'Start time since the epoch.', () => performance.timeOrigin / 1000);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Heap taken from the system.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory of objects outside the heap.', () => process.memoryUsage().external);
  registry.read({
    name: 'nodejs_active_resources',
    help: 'Resources that keep the process alive, by type.',
    type: 'gauge',
    label: 'type',
    value: countActiveResources,
  });
  addEventLoopMetrics(registry);
}

function addEventLoopMetrics(registry: Registry): void {
  const resolutionMs = 20;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  registry.read({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was since the last reading, by quantile.',
    type: 'gauge',
    label: 'quantile',
    value: () => {
      // The monitor measures the distance between its ticks, which is its resolution when nothing is late.
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
      const samples = new Map([0.5, 0.9, 0.99, 1].map((quantile) => [String(quantile), seconds(delays.percentile(quantile * 100))]));
      delays.reset();
      return samples;
    },
  });
}

function countActiveResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
