import { keyOf } from './view.ts';
import type { View } from './view.ts';

/**
 * Pods and claims that the simulation makes in all: one manifest may ask for two thousand million. A node of a cluster takes a hundred
 * pods, and a laptop bears so many of ours.
 */
export const ROOM_MAX = 10_000;
/** So many pods are made or removed in one go. */
export const BURST_MAX = 500;

export interface RoomOptions {
  readonly max: number;
  /** What there is now. */
  readonly count: () => number;
  /** Told once of each owner that gets less than it wants, until it gets all. */
  readonly onShort: (owner: View) => void;
  /** Told to look again at an owner that got less. */
  readonly wake: (key: string) => void;
  /** Told to look again, in a while, at an owner that got less while others were making some. */
  readonly wakeLater: (key: string) => void;
}

/** The places for pods and claims. Owners that make some at the same time do not get the same place twice. */
export class Room {
  readonly #options: RoomOptions;
  /** Places of what is being made. */
  #taken = 0;
  /** The keys of owners that have got less than they want, by their uids. */
  readonly #short = new Map<string, string>();

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** Takes up to so many places, and says how many. They are given back when what was to be made is there, or was refused. */
  take(owner: View, wanted: number): number {
    const taken = Math.min(wanted, this.#left);
    this.#note(owner, taken < wanted);
    this.#taken += taken;
    return taken;
  }

  /** Takes all of the places or none. */
  takeAll(owner: View, wanted: number): boolean {
    const isEnough = wanted <= this.#left;
    this.#note(owner, !isEnough);
    if (isEnough) this.#taken += wanted;
    return isEnough;
  }

  /** Why an owner gets no more, for its events and conditions. */
  get refusal(): string {
    return `the simulation has no room for more: it makes ${this.#options.max} pods and claims in all`;
  }

  giveBack(count: number): void {
    this.#taken -= count;
  }

  /** Something has gone: who wanted more is asked again. */
  freed(): void {
    if (this.#left > 0) for (const key of this.#short.values()) this.#options.wake(key);
  }

  /** An owner is gone. */
  forget(uid: string): void {
    this.#short.delete(uid);
  }

  get #left(): number {
    return Math.max(this.#options.max - this.#options.count() - this.#taken, 0);
  }

  #note(owner: View, isShort: boolean): void {
    if (!isShort) {
      this.#short.delete(owner.uid);
      return;
    }
    // What others are making may be refused, and counts twice for the moment in which it is there and its place is not given back yet.
    if (this.#taken > 0) this.#options.wakeLater(keyOf(owner));
    if (this.#short.has(owner.uid)) return;
    this.#short.set(owner.uid, keyOf(owner));
    this.#options.onShort(owner);
  }
}
