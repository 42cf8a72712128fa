import { changeTypes } from './store.ts';
import type { Change, Store } from './store.ts';
import type { Clock } from '../../base/index.ts';
import type { StoredObject } from './stored-object.ts';

/** Versions that one transaction forgets at most, so that no writer waits long for it. */
const SLICE = 2_000;

export interface HistoryLimits {
  /** Changes that watches can start behind. */
  readonly changesMax: number;
  readonly ageMs: number;
}

/** The changes that are kept beyond the current states, so that a watch can start in the past. */
export class History {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #limits: HistoryLimits;
  #compacted: number;
  /** A compaction waits for its commit. */
  #isCompacting = false;

  constructor(store: Store, clock: Clock, limits: HistoryLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
    this.#compacted = this.#readCompacted();
    store.onCommit(() => {
      if (this.#isCompacting) this.#compacted = this.#readCompacted();
      this.#isCompacting = false;
    });
  }

  /** Changes up to this version are forgotten; all after it are there. */
  get compactedVersion(): number {
    // Who reads sees what a compaction has taken before that is on disk, and must not take the gap for a time without changes.
    return this.#isCompacting ? this.#readCompacted() : this.#compacted;
  }

  /** The changes of a resource after one version and up to another, the oldest first. */
  readChanges(resource: number, after: number, upTo: number, limit: number): readonly Change[] {
    const rows = this.#store.statements.historyPage.all(after, upTo, resource, limit);
    return rows.map((row) => {
      const key = { resource, namespace: String(row['namespace']), name: String(row['name']) };
      const previousVersion = Number(row['previous']);
      const { type, version } = { type: changeTypes[Number(row['type'])] ?? 'MODIFIED', version: Number(row['version']) };
      const state = this.#store.decode(key, row);
      // The one before is needed only by watches with a selector: it is read when they ask.
      const readPrevious = (): StoredObject | undefined => (previousVersion === 0 ? undefined : this.#store.readVersion(previousVersion));
      return {
        type,
        key,
        version,
        state,
        get previous() {
          return readPrevious();
        },
      };
    });
  }

  /** Forgets what is over the limits, a slice at a time; says whether there is more to forget when the slice is gone from the disk. */
  compactSlice(): Promise<boolean> {
    const last = this.#store.committedVersion;
    const ageLimit = this.#store.statements.versionBefore.get(this.#compacted, this.#clock.nowMs() - this.#limits.ageMs);
    // Without any row young enough, all are old. The last version always stays: it is what the sequence goes on from.
    const byAge = ageLimit === undefined ? last - 1 : Number(ageLimit['version']) - 1;
    const goal = Math.min(Math.max(byAge, last - this.#limits.changesMax), last - 1);
    const version = Math.min(goal, this.#compacted + SLICE);
    return this.#store.write(() => this.#compactTo(version) && version < goal);
  }

  /** Forgets every change up to a version. */
  async compact(version: number): Promise<void> {
    await this.#store.write(() => this.#compactTo(Math.min(version, this.#store.committedVersion - 1)));
  }

  #compactTo(version: number): boolean {
    // As this turn has left it, which is not on disk yet where another compaction is.
    const from = this.#readCompacted();
    if (version <= from) return false;
    this.#store.alter(() => {
      // What a forgotten change replaced is reachable from nowhere; the change itself stays while it is the current state, or the one
      // before a change that is kept.
      this.#store.statements.deleteReplaced.run(from, version);
      this.#store.statements.deleteTombstones.run(from, version);
      this.#store.statements.writeMeta.run('compacted', String(version));
    });
    // Only what is on disk counts: what was taken back is there, and is forgotten another time.
    this.#isCompacting = true;
    return true;
  }

  #readCompacted(): number {
    return Number(this.#store.statements.readMeta.get('compacted')?.['value'] ?? 0);
  }
}
