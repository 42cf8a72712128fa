import { hashText } from './names.ts';

/** Gives out addresses of a range, each to one holder, always trying first the one that belongs to the holder's uid. */
export class AddressPool {
  readonly #holders = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #size: number;
  readonly #format: (index: number) => string;

  constructor(size: number, format: (index: number) => string) {
    this.#size = size;
    this.#format = format;
  }

  /** The holder's address; where all are taken, one is shared. */
  take(uid: string): string {
    const known = this.#addresses.get(uid);
    if (known !== undefined) return known;
    const first = hashText(uid) % this.#size;
    let address = this.#format(first);
    for (let step = 1; step < this.#size && this.#holders.has(address); step += 1) address = this.#format((first + step) % this.#size);
    this.claim(uid, address);
    return address;
  }

  /** Notes an address that the holder has already. */
  claim(uid: string, address: string): void {
    if (this.#addresses.has(uid)) return;
    this.#addresses.set(uid, address);
    if (!this.#holders.has(address)) this.#holders.set(address, uid);
  }

  release(uid: string): void {
    const address = this.#addresses.get(uid);
    if (address === undefined) return;
    this.#addresses.delete(uid);
    if (this.#holders.get(address) === uid) this.#holders.delete(address);
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
