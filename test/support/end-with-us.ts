import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Kills the process when this one ends before it: whoever should have stopped it may not have come to that. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

process.on('exit', killAll);
// Workers of the test runner are ended with a signal, which ends a process without `exit`.
for (const signal of SIGNALS) {
  process.once(signal, () => {
    // Whoever else listens ends in a way of their own, and that ends with `exit`.
    if (process.listenerCount(signal) > 0) return;
    killAll();
    process.kill(process.pid, signal);
  });
}
