import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemTimers, type Timers } from '../base/index.ts';

const megabyte = 1_048_576;
const lookEveryMs = 5_000;
/** Of an interval; above it somebody would wait for the collection. */
const quietShareMax = 0.1;
/** Less than this is not worth a collection. */
const gainBytesMin = 16 * megabyte;
/** A collection that took a second is not repeated for a minute and a half: at most a hundredth of the time goes into it. */
const restFactor = 100;

/** How the process is doing, and what can be done about it. */
export interface Heap {
  /** The share of the time since the last call in which the process had something to do. */
  busyShare(): number;
  /** What is taken from the system for objects, whether in use or not. */
  totalBytes(): number;
  /** Collects everything that is not in use, and gives its room back to the system. Returns how long that took, in milliseconds. */
  collect(): number;
}

/**
 * Gives memory back when a storm is over. The runtime collects garbage when it needs room for something new; a process that has
 * nothing more to do would keep the heap of its busiest minute for ever. What is kept only to be quick is let go before. Returns how to stop.
 */
export function startReturningMemory(forget: () => void, timers: Timers = systemTimers, heap: Heap = createHeap()): () => void {
  let cancel: () => void;
  /** What was left by the last collection. The start of the program leaves much behind, so the first one always pays. */
  let leftBytes = 0;
  let restUntilMs = 0;

  const look = (): void => {
    const isQuiet = heap.busyShare() < quietShareMax;
    if (isQuiet && timers.nowMs() >= restUntilMs && heap.totalBytes() > leftBytes + gainBytesMin) {
      forget();
      restUntilMs = timers.nowMs() + heap.collect() * restFactor;
      leftBytes = heap.totalBytes();
    }
    cancel = timers.schedule(lookEveryMs, look);
  };
  cancel = timers.schedule(lookEveryMs, look);
  return () => cancel();
}

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

function createHeap(): Heap {
  // The function is there only where the flag was given; it can be given late, and shows in contexts made after that.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let last = performance.eventLoopUtilization();
  return {
    busyShare() {
      const { utilization } = performance.eventLoopUtilization(last);
      last = performance.eventLoopUtilization();
      return utilization;
    },
    totalBytes: () => getHeapStatistics().total_heap_size,
    collect() {
      const startMs = performance.now();
      // An ordinary collection would keep the room for the next storm.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      return performance.now() - startMs;
    },
  };
}
