import { hashText } from './names.ts';

/** Gives out addresses of a range, each to one holder, always trying first the one that belongs to the holder's uid. */
export class AddressPool {
  readonly #holders = new Map<number, string>();
  readonly #addresses = new Map<string, number>();
  readonly #size: number;
  readonly #format: (index: number) => string;

  constructor(size: number, format: (index: number) => string) {
    this.#size = size;
    this.#format = format;
  }

  /** The holder's address; where all are taken, one is shared. */
  take(uid: string): string {
    const known = this.#addresses.get(uid);
    if (known !== undefined) return this.#format(known);
    const first = hashText(uid) % this.#size;
    let index = first;
    while (this.#holders.has(index)) {
      index = (index + 1) % this.#size;
      if (index === first) break;
    }
    this.#hold(uid, index);
    return this.#format(index);
  }

  release(uid: string): void {
    const index = this.#addresses.get(uid);
    if (index === undefined) return;
    this.#addresses.delete(uid);
    if (this.#holders.get(index) === uid) this.#holders.delete(index);
  }

  #hold(uid: string, index: number): void {
    this.#addresses.set(uid, index);
    if (!this.#holders.has(index)) this.#holders.set(index, uid);
  }
}

/** Addresses of pods: 10.244.0.0/16, without the first of all. */
export function createPodAddresses(): AddressPool {
  return new AddressPool(65_000, (index) => `10.244.${Math.floor((index + 2) / 256)}.${(index + 2) % 256}`);
}

/** Addresses of load balancers, from the range that is kept for documentation, so that none of them leads anywhere. */
export function createBalancerAddresses(): AddressPool {
  return new AddressPool(254, (index) => `192.0.2.${index + 1}`);
}
