import type { Change } from '../storage/store.ts';
import { ChangeFeed } from './change-feed.ts';

/** Hands every committed change to the feeds of those who watch its resource. */
export class WatchHub {
  readonly #feeds = new Map<number, Set<ChangeFeed>>();
  readonly #pendingMax: number;
  #isClosed = false;

  /** `pendingMax`: changes that wait for one slow watcher before it has to read them from the history. */
  constructor(pendingMax: number) {
    this.#pendingMax = pendingMax;
  }

  open(resource: number): ChangeFeed {
    const feeds = this.#feeds.get(resource) ?? new Set();
    this.#feeds.set(resource, feeds);
    const feed: ChangeFeed = new ChangeFeed(this.#pendingMax, () => feeds.delete(feed));
    feeds.add(feed);
    if (this.#isClosed) feed.end();
    return feed;
  }

  publish(changes: readonly Change[]): void {
    for (const change of changes) for (const feed of this.#feeds.get(change.key.resource) ?? []) feed.push(change);
  }

  /** Ends all watches on a resource, as when its kind is no longer served. */
  endWatches(resource: number): void {
    // A feed takes itself out of the set when it ends, which a set allows while it is gone through.
    for (const feed of this.#feeds.get(resource) ?? []) feed.end();
  }

  close(): void {
    this.#isClosed = true;
    for (const resource of this.#feeds.keys()) this.endWatches(resource);
  }
}
