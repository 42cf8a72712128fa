import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ApiError, Code } from '../../base/index.ts';

/** Marks the file as ours, so that another program's database is not taken for an empty one. */
const APPLICATION_ID = 0x46574159;
const SCHEMA_VERSION = 1;
const LOCK_WAIT_MS = 1_000;
/** Little: what is not here is mostly in the system's own cache, which others can use too. */
const CACHE_KIB = 4 * 1024;
/** Seldom enough that a page which many writes touch is copied back once for all of them. */
const CHECKPOINT_PAGES = 4_000;
/** What the log is long until then: pages with their heads, and a little for a transaction that goes beyond. */
export const LOG_BYTES = (CHECKPOINT_PAGES + 96) * (4_096 + 24);
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/**
 * `versions` holds every state of every object that is still needed: what is current, and the history that watches may start from. A row
 * is written once and never changed. `objects` says which version is current. `previous` is the version that a row replaced, 0 for none.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE resources (id INTEGER PRIMARY KEY, api_group TEXT NOT NULL, plural TEXT NOT NULL, UNIQUE (api_group, plural));
  CREATE TABLE versions (
    version INTEGER PRIMARY KEY,
    resource INTEGER NOT NULL,
    type INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    key_id TEXT,
    body ANY NOT NULL
  ) STRICT;
  CREATE INDEX versions_sealed ON versions (key_id) WHERE key_id IS NOT NULL;
  CREATE TABLE objects (
    resource INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    uid TEXT NOT NULL,
    labels TEXT,
    deleting INTEGER NOT NULL,
    expires_ms INTEGER,
    PRIMARY KEY (resource, namespace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX objects_deleting ON objects (deleting) WHERE deleting = 1;
  CREATE INDEX objects_expires ON objects (expires_ms) WHERE expires_ms IS NOT NULL;
  CREATE TABLE owners (
    owner_uid TEXT NOT NULL,
    resource INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (owner_uid, resource, namespace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owners_object ON owners (resource, namespace, name);
`;

/**
 * Opens the file, or makes it, for this process alone. A commit is safe from a crash of the process; that it is on disk is for the caller
 * to see to (`createLogSync`). Throws ApiError where another process has it or it is not ours.
 */
export function openDatabase(file: string): DatabaseSync {
  createPrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    // Exclusive before the first access: the lock is then taken once and held, and no other process can even read.
    database.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}; PRAGMA locking_mode = EXCLUSIVE`);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`,
    );
    database.exec('BEGIN EXCLUSIVE');
    prepareSchema(database, file);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw explainOpenError(error, file);
  }
}

/** What SQLite's own check of the file finds wrong; nothing when it is sound. */
export function checkDatabase(database: DatabaseSync): readonly string[] {
  const rows = database.prepare('PRAGMA integrity_check').all();
  return rows.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
}

export function hasSealedRecords(database: DatabaseSync): boolean {
  return database.prepare('SELECT EXISTS (SELECT 1 FROM versions WHERE key_id IS NOT NULL) AS found').get()?.['found'] === 1;
}

/** SQLite gives its side files the mode of the database, so it is made before SQLite can. */
function createPrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function prepareSchema(database: DatabaseSync, file: string): void {
  const applicationId = Number(database.prepare('PRAGMA application_id').get()?.['application_id']);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  const isEmpty = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'] === 0;
  if (isEmpty) {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; ${SCHEMA}`);
    return;
  }
  if (applicationId !== APPLICATION_ID) throw new ApiError(Code.FailedPrecondition, `${file} is a database of another program`);
  if (version !== SCHEMA_VERSION)
    throw new ApiError(Code.FailedPrecondition, `${file} has schema version ${version}; this program knows ${SCHEMA_VERSION}`);
  // Of files from before: each write would have to keep it up to date, at a random place, and nothing asks for it any more.
  database.exec('DROP INDEX IF EXISTS objects_uid');
}

function explainOpenError(error: unknown, file: string): unknown {
  if (error instanceof ApiError) return error;
  const text = error instanceof Error ? error.message : '';
  if (/database is locked|busy/i.test(text))
    return new ApiError(Code.FailedPrecondition, `${file} is in use by another process; only one can have it open`, { cause: error });
  if (/not a database|malformed/i.test(text)) return new ApiError(Code.DataLoss, `${file} is no sound database: ${text}`, { cause: error });
  return error;
}
