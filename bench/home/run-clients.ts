import { readProcessorMs } from '../support/processors.ts';

/** What a number of calls took. */
export interface Slot {
  readonly calls: number;
  readonly wallMs: number;
  /** Of the process that asks and of those that answer. */
  readonly processorMs: number;
}

/** Runs calls by so many clients, each of which begins its next one when the last is answered. */
export async function runClients(
  { calls, clients, pids }: { readonly calls: number; readonly clients: number; readonly pids: readonly number[] },
  call: (index: number) => Promise<unknown>,
): Promise<Slot> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < calls) {
      const index = next;
      next += 1;
      await call(index);
    }
  };
  const processorMs = processorTime(pids);
  const begin = performance.now();
  await Promise.all(Array.from({ length: clients }, work));
  return { calls, wallMs: performance.now() - begin, processorMs: processorTime(pids) - processorMs };
}

function processorTime(pids: readonly number[]): number {
  return [process.pid, ...pids].reduce((sum, pid) => sum + readProcessorMs(pid), 0);
}
