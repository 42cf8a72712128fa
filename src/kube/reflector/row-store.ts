import type { KubeObject } from '../../objects/index.ts';

interface Entry<Row> {
  resourceVersion: string;
  row: Row;
  /** The number of the last list that named the object, or during which it was seen. */
  list: number;
}

export type Change<Row> =
  | { readonly type: 'added'; readonly key: string; readonly row: Row }
  | { readonly type: 'changed'; readonly key: string; readonly row: Row; readonly previous: Row };

/** What is known of the objects of one kind: by key, the row that the caller keeps and the version it was made from. */
export class RowStore<Row> {
  readonly #entries = new Map<string, Entry<Row>>();
  readonly #keep: (object: KubeObject) => Row;
  #list = 0;

  constructor(keep: (object: KubeObject) => Row) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Row | undefined {
    return this.#entries.get(key)?.row;
  }

  *rows(): IterableIterator<[string, Row]> {
    for (const [key, entry] of this.#entries) yield [key, entry.row];
  }

  /** Takes an object in; undefined where this version of it is known already. */
  put(object: KubeObject): Change<Row> | undefined {
    const key = keyOf(object);
    const resourceVersion = object.metadata.resourceVersion ?? '';
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const row = this.#keep(object);
      this.#entries.set(key, { resourceVersion, row, list: this.#list });
      return { type: 'added', key, row };
    }
    entry.list = this.#list;
    if (entry.resourceVersion === resourceVersion && resourceVersion !== '') return undefined;
    const previous = entry.row;
    entry.row = this.#keep(object);
    entry.resourceVersion = resourceVersion;
    return { type: 'changed', key, row: entry.row, previous };
  }

  remove(key: string): { readonly key: string; readonly row: Row } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    return { key, row: entry.row };
  }

  /** From here on, objects that are put are marked as listed. */
  beginList(): void {
    this.#list += 1;
  }

  /** The keys of the objects that the list did not name: they were deleted unseen. */
  unlisted(): string[] {
    const keys: string[] = [];
    for (const [key, entry] of this.#entries) if (entry.list !== this.#list) keys.push(key);
    return keys;
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }
}

/** `namespace/name`, or the name alone for what is cluster-scoped. */
export function keyOf({ metadata }: KubeObject): string {
  const name = metadata.name ?? '';
  return metadata.namespace === undefined || metadata.namespace === '' ? name : `${metadata.namespace}/${name}`;
}
