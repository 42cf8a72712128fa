import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** Sees to it that what was committed is on disk. */
export interface LogSync {
  /** Returns when it is; throws where nobody can tell whether it is. */
  sync(): void;
  close(): void;
}

/**
 * SQLite could do this itself (`synchronous = FULL`), but the one in Node calls fsync, which also writes down the time of the change and so
 * waits for the journal of the file system and for everybody else who writes. What has to be on disk is the content: fdatasync. SQLite
 * still orders the log and the database by syncs of its own (`synchronous = NORMAL`).
 */
export function createLogSync(database: DatabaseSync): LogSync {
  let log: number | undefined;
  return {
    sync: () => {
      log ??= openLog(`${database.location() ?? ''}-wal`);
      fdatasyncSync(log);
    },
    close: () => {
      const open = log;
      // Whatever closing says, its number may be that of another file from here on.
      log = undefined;
      if (open !== undefined) closeSync(open);
    },
  };
}

/** The log is made once and used again and again while the database is open, so that one look for it is enough. */
function openLog(file: string): number {
  const log = openSync(file, 'r+');
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return log;
}
