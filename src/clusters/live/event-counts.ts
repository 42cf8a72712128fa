interface Kind {
  readonly group: string;
  readonly kind: string;
}

/** How many changes of each kind a cluster has told of since it was first read; what its first lists held is none. */
export class EventCounts {
  readonly #counts = new Map<string, Kind & { count: number }>();

  note({ group, kind }: Kind): void {
    const key = `${group}/${kind}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { group, kind, count: 1 });
    else known.count += 1;
  }

  list(): Iterable<Kind & { readonly count: number }> {
    return this.#counts.values();
  }
}
