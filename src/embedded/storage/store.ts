import type { DatabaseSync } from 'node:sqlite';
import { statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { extendLog } from './extend-log.ts';
import { ObjectCounts } from './object-counts.ts';
import type { Sealer } from './sealer.ts';
import { LastPage } from './last-page.ts';
import { LOG_BYTES } from './open-database.ts';
import { StateCache } from './state-cache.ts';
import { prepareStatements } from './statements.ts';
import { createLogSync } from './sync-log.ts';
import type { LogSync } from './sync-log.ts';
import type { Statements } from './statements.ts';
import { rememberText, StoredObject } from './stored-object.ts';
import type { ObjectKey } from './stored-object.ts';

export const changeTypes = ['ADDED', 'MODIFIED', 'DELETED'] as const;
export type ChangeType = (typeof changeTypes)[number];

/** What happened to one object: the state after it (of a deletion: the last one), and the one before it. */
export interface Change {
  readonly type: ChangeType;
  readonly key: ObjectKey;
  readonly version: number;
  readonly state: StoredObject;
  readonly previous: StoredObject | undefined;
}

/** What the store needs to know of an object beyond its text. */
export interface ObjectFacts {
  readonly uid: string;
  readonly labels: JsonObject | undefined;
  readonly ownerUids: readonly string[];
  readonly isDeleting: boolean;
  /** When it goes by itself. */
  readonly expiresMs: number | undefined;
  readonly isSealed: boolean;
}

export interface StoreOptions {
  readonly database: DatabaseSync;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly cacheCharactersMax: number;
  /** Called once where the disk has failed: nothing more is read or written, and only a new start finds out what is on it. */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** The writes of one turn of the event loop: they become durable together. */
interface Group {
  readonly committed: PromiseWithResolvers<void>;
  readonly changes: Change[];
  /** Those who wait to see what is on disk; with an error where nobody can see it any more. */
  readonly readers: ((refusal?: Error) => void)[];
}

/**
 * The objects and their history, in one sequence of versions. Writes happen at once and are seen by the writes after them; they are
 * acknowledged when the transaction that they share with others of the same turn is on disk. Readers wait for that transaction, so
 * nobody is ever told of a state that a crash can take back.
 */
export class Store {
  readonly database: DatabaseSync;
  readonly statements: Statements;
  readonly counts = new ObjectCounts();
  readonly lastPage: LastPage;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #cache: StateCache;
  readonly #logSync: LogSync;
  readonly #stopExtending: () => void;
  readonly #onLost: ((error: unknown) => void) | undefined;
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  #sealer: Sealer;
  #version = 0;
  #committedVersion = 0;
  #group: Group | undefined;
  #state: 'open' | 'closed' = 'open';

  constructor({ database, sealer, clock, log, cacheCharactersMax, onLost }: StoreOptions) {
    this.database = database;
    this.statements = prepareStatements(database);
    this.#sealer = sealer;
    this.#clock = clock;
    this.#log = log;
    this.#onLost = onLost;
    this.#cache = new StateCache(cacheCharactersMax);
    this.lastPage = new LastPage(cacheCharactersMax / 2);
    this.#logSync = createLogSync(database);
    this.#stopExtending = extendLog({ database, sizeBytes: LOG_BYTES });
    this.#load();
  }

  /** The last version that is on disk. */
  get committedVersion(): number {
    return this.#committedVersion;
  }

  get sealer(): Sealer {
    return this.#sealer;
  }

  set sealer(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Called with every committed group of changes, in order, before their writers are told. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs an action that may call put and remove. Its result is handed out when what it wrote is durable; what it throws before its first
   * write changes nothing.
   */
  write<Result>(action: () => Result): Promise<Result> {
    try {
      this.#checkOpen();
      const result = action();
      return this.#group === undefined ? Promise.resolve(result) : this.#group.committed.promise.then(() => result);
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /**
   * Runs an action when everything that was written is on disk, in the same turn as the commit: what it sees cannot be taken back, and
   * writers that never rest cannot keep it waiting.
   */
  read<Result>(action: () => Result): Promise<Result> {
    try {
      this.#checkOpen();
      const group = this.#group;
      if (group === undefined) return Promise.resolve(action());
      return new Promise((resolve, reject) => {
        group.readers.push((refusal) => {
          if (refusal !== undefined) return reject(refusal);
          try {
            resolve(action());
          } catch (error) {
            reject(toError(error));
          }
        });
      });
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /** The current state, also one that is not on disk yet: for writers, and for readers inside of `read`. */
  lookup(key: ObjectKey): StoredObject | undefined {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const row = this.statements.readCurrent.get(key.resource, key.namespace, key.name);
    if (row === undefined) return undefined;
    const state = this.decode(key, row);
    this.#cache.set(key, state);
    return state;
  }

  /** The state that a version wrote. */
  readVersion(version: number): StoredObject | undefined {
    const row = this.statements.readVersion.get(version);
    if (row === undefined) return undefined;
    return this.decode({ resource: Number(row['resource']), namespace: String(row['namespace']), name: String(row['name']) }, row);
  }

  /** For lists: what is cached is used, and what is not does not push out what is. */
  readState(key: ObjectKey, version: number): StoredObject | undefined {
    return this.cached(key, version) ?? this.readVersion(version);
  }

  /** The state at a version, if it is the current one and at hand. */
  cached(key: ObjectKey, version: number): StoredObject | undefined {
    const cached = this.#cache.get(key);
    return cached?.version === version ? cached : undefined;
  }

  /** A state from a row with `version`, `key_id` and `body`. */
  decode(key: ObjectKey, row: Record<string, unknown>): StoredObject {
    const { version, key_id: keyId, body } = row;
    const text =
      typeof keyId === 'string' ? this.#sealer.open({ keyId, bytes: body as Uint8Array }, placeOf(key, Number(version))) : String(body);
    return StoredObject.fromBody(Number(version), text);
  }

  /** Writes a new state; the object gets its resource version here. */
  put(key: ObjectKey, object: JsonObject, facts: ObjectFacts): JsonObject {
    return this.#put(key, object, facts, this.lookup(key));
  }

  /** Writes the first state of an object that the caller knows not to be there. */
  insert(key: ObjectKey, object: JsonObject, facts: ObjectFacts): JsonObject {
    return this.#put(key, object, facts, undefined);
  }

  #put(key: ObjectKey, object: JsonObject, facts: ObjectFacts, previous: StoredObject | undefined): JsonObject {
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    return this.#mutate(() => {
      const { result, state } = this.#insertVersion({ key, type, object, previous, isSealed: facts.isSealed });
      const labels = facts.labels === undefined ? null : JSON.stringify(facts.labels);
      const rest = [labels, facts.isDeleting ? 1 : 0, facts.expiresMs ?? null] as const;
      const place = [key.resource, key.namespace, key.name] as const;
      if (previous === undefined) {
        this.statements.insertObject.run(...place, state.version, facts.uid, ...rest);
        this.counts.add(key.resource, key.namespace, 1);
      } else {
        this.statements.updateObject.run(state.version, ...rest, ...place);
        if (mayHaveOwners(previous)) this.statements.deleteOwners.run(...place);
      }
      for (const uid of facts.ownerUids) this.statements.insertOwner.run(uid, ...place);
      this.#cache.set(key, state);
      return result;
    });
  }

  /** Removes an object; its last state, with the version of the removal, is handed back and told to watchers. */
  remove(key: ObjectKey, object: JsonObject, isSealed: boolean): JsonObject {
    const previous = this.lookup(key);
    return this.#mutate(() => {
      const { result } = this.#insertVersion({ key, type: 'DELETED', object, previous, isSealed });
      this.statements.deleteObject.run(key.resource, key.namespace, key.name);
      if (previous !== undefined && mayHaveOwners(previous)) this.statements.deleteOwners.run(key.resource, key.namespace, key.name);
      this.counts.add(key.resource, key.namespace, -1);
      this.#cache.delete(key);
      return result;
    });
  }

  /** Other statements that belong to the group of this turn. */
  alter(action: () => void): void {
    this.#mutate(action);
  }

  /** Commits now what would be committed at the end of this turn. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    try {
      this.database.exec('COMMIT');
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (!this.#syncLog()) return;
    this.#group = undefined;
    this.#committedVersion = this.#version;
    this.lastPage.forget();
    for (const listener of this.#listeners) this.#tell(listener, group.changes);
    for (const reader of group.readers) reader();
    group.committed.resolve();
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.flush();
    this.#state = 'closed';
    this.#release();
  }

  #release(): void {
    // A flush that loses the disk has released it already.
    if (!this.database.isOpen) return;
    this.#stopExtending();
    this.#logSync.close();
    this.database.close();
  }

  #insertVersion(write: { key: ObjectKey; type: ChangeType; object: JsonObject; previous: StoredObject | undefined; isSealed: boolean }) {
    const { key, type, object, previous, isSealed } = write;
    const version = this.#version + 1;
    const result = { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion: String(version) } };
    const state = StoredObject.of(version, result);
    const sealed = isSealed ? this.#sealer.seal(state.body, placeOf(key, version)) : undefined;
    const before = previous?.version ?? 0;
    const fixed = [version, key.resource, changeTypes.indexOf(type), before, this.#clock.nowMs(), key.namespace, key.name] as const;
    this.statements.insertVersion.run(...fixed, sealed?.keyId ?? null, sealed?.bytes ?? state.body);
    this.#version = version;
    rememberText(result, state);
    this.#group?.changes.push({ type, key, version, state, previous });
    return { result, state };
  }

  /** What is on disk has happened, whatever becomes of those who are told of it. */
  #tell(listener: (changes: readonly Change[]) => void, changes: readonly Change[]): void {
    try {
      listener(changes);
    } catch (error) {
      this.#log.error('embedded API: a listener failed', { error });
    }
  }

  #begin(): void {
    try {
      this.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #mutate<Result>(action: () => Result): Result {
    this.#checkOpen();
    if (this.#group === undefined) {
      this.#begin();
      this.#group = { committed: Promise.withResolvers<void>(), changes: [], readers: [] };
      // Nobody may be waiting when a group fails whose writers have all been refused for other reasons.
      this.#group.committed.promise.catch(() => undefined);
      setImmediate(() => this.flush());
    }
    try {
      return action();
    } catch (error) {
      // A statement failed in the middle of a write: what the group holds is not whole any more.
      throw this.#fail(error);
    }
  }

  /** False where the disk has failed. */
  #syncLog(): boolean {
    try {
      this.#logSync.sync();
      return true;
    } catch (error) {
      this.#lose(error);
      this.#fail(error);
      return false;
    }
  }

  /** Refuses what is not committed, and goes on with what is on disk as far as that can be read. */
  #fail(error: unknown): Error {
    const group = this.#group;
    this.#group = undefined;
    this.#log.error('embedded API: a group of writes failed', { error, writes: group?.changes.length });
    const isSound = this.#state === 'open' && this.#goBack();
    const refusal = statusError(
      'InternalError',
      `Internal error occurred: ${error instanceof Error ? error.message : 'the database failed'}`,
    );
    for (const reader of group?.readers ?? []) reader(isSound ? undefined : refusal);
    group?.committed.reject(refusal);
    return refusal;
  }

  #goBack(): boolean {
    try {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      this.#load();
      return true;
    } catch (error) {
      this.#lose(error);
      return false;
    }
  }

  /** Nobody can say what is on a disk that has failed, so nothing of it is told or added to. */
  #lose(error: unknown): void {
    this.#state = 'closed';
    this.#log.error('embedded API: the disk failed', { error });
    try {
      this.#release();
    } catch {
      // It fails at this too; what is open ends with the process.
    }
    // Those who wait for an answer have it first.
    setImmediate(() => this.#onLost?.(error));
  }

  /** Lets go of what is kept only to be read sooner; all of it is on disk. */
  forgetRead(): void {
    this.#cache.clear();
    this.lastPage.forget();
  }

  #load(): void {
    this.forgetRead();
    this.counts.clear();
    for (const row of this.statements.readCounts.all())
      this.counts.add(Number(row['resource']), String(row['namespace']), Number(row['count']));
    this.#version = Number(this.statements.lastVersion.get()?.['version'] ?? 0);
    this.#committedVersion = this.#version;
  }

  #checkOpen(): void {
    if (this.#state === 'closed') throw statusError('ServiceUnavailable', 'the embedded API is closed');
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('an action failed', { cause: error });
}

function mayHaveOwners(state: StoredObject): boolean {
  return state.text.includes('"ownerReferences"');
}

/** What a sealed text is bound to. */
export function placeOf({ resource, namespace, name }: ObjectKey, version: number): string {
  return `${resource}/${namespace}/${name}/${version}`;
}
