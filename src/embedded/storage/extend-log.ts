import { closeSync, fdatasync, fstatSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { systemTimers, type Timers } from '../../base/index.ts';

const STEP_BYTES = 1024 * 1024;
const FIRST_STEP_MS = 1_000;
const STEP_MS = 20;

export interface ExtendLogOptions {
  readonly database: DatabaseSync;
  /** How long the log becomes at most before its content is copied back and it begins anew. */
  readonly sizeBytes: number;
  readonly timers?: Timers;
}

/**
 * Gives the log its full length ahead of the writes, in small steps while nobody waits. A commit that only overwrites what is there takes
 * half the time of one that makes the file longer, because the file system then has nothing to note down itself. Zeros behind the log mean
 * nothing to SQLite: what it has not written there itself has no valid checksum. Both write in this thread alone, so that neither can be in
 * the other's way. Returns how to stop.
 */
export function extendLog({ database, sizeBytes, timers = systemTimers }: ExtendLogOptions): () => void {
  let log: number | undefined;
  let isSyncing = false;
  let isOver = false;
  let cancel = timers.schedule(FIRST_STEP_MS, step);

  function step(): void {
    try {
      log ??= openSync(`${database.location() ?? ''}-wal`, 'r+');
      const { size } = fstatSync(log);
      if (size >= sizeBytes) return stop();
      writeSync(log, Buffer.alloc(Math.min(STEP_BYTES, sizeBytes - size)), undefined, undefined, size);
      isSyncing = true;
      // So that the next commit need not.
      fdatasync(log, onSynced);
    } catch {
      // A full disk, for one. The log goes on growing as it is needed, and a commit that fails will say so.
      stop();
    }
  }

  function onSynced(): void {
    isSyncing = false;
    if (isOver) stop();
    else cancel = timers.schedule(STEP_MS, step);
  }

  function stop(): void {
    isOver = true;
    cancel();
    if (log === undefined || isSyncing) return;
    closeSync(log);
    log = undefined;
  }

  return stop;
}
