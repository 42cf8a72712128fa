import { objectKey, type LiveOwner } from './live-row.ts';
import type { StoredRow } from './make-row.ts';

type FindRow = (group: string, kind: string, namespace: string, name: string) => StoredRow | undefined;

/** Rows by what they are asked for: their uid, their owner, their application, their namespace. */
export class RowIndex {
  readonly #find: FindRow;
  readonly #byUid = new Map<string, StoredRow>();
  /** By the owner's uid, or by its key where the uid is not known. */
  readonly #children = new Map<string, Set<StoredRow>>();
  readonly #claims = new Map<string, Set<StoredRow>>();
  readonly #claimOwners = new Map<string, Set<StoredRow>>();
  readonly #managed = new Map<string, Map<string, StoredRow>>();
  readonly #topLevel = new Map<string, Set<StoredRow>>();
  readonly #byNode = new Map<string, Set<StoredRow>>();

  constructor(find: FindRow) {
    this.#find = find;
  }

  add(row: StoredRow): void {
    const known = this.#byUid.get(row.uid);
    // One object may be served in two groups; the tree shows it once.
    if (row.uid !== '' && (known === undefined || isSameOrBefore(row, known))) this.#byUid.set(row.uid, row);
    for (const owner of row.owners) include(this.#children, ownerId(owner, row.namespace), row);
    for (const claim of row.claims) include(this.#claimsOf(row), `${row.namespace}/${claim}`, row);
    if (row.instance !== '') this.#manage(row);
    if (row.owners.length === 0) include(this.#topLevel, row.namespace, row);
    if (row.node !== '') include(this.#byNode, row.node, row);
  }

  remove(row: StoredRow): void {
    if (this.#byUid.get(row.uid) === row) this.#byUid.delete(row.uid);
    for (const owner of row.owners) exclude(this.#children, ownerId(owner, row.namespace), row);
    for (const claim of row.claims) exclude(this.#claimsOf(row), `${row.namespace}/${claim}`, row);
    if (row.instance !== '') this.#release(row);
    if (row.owners.length === 0) exclude(this.#topLevel, row.namespace, row);
    if (row.node !== '') exclude(this.#byNode, row.node, row);
  }

  managed(instance: string): ReadonlyMap<string, StoredRow> {
    return this.#managed.get(instance) ?? new Map<string, StoredRow>();
  }

  topLevel(namespace: string): Iterable<StoredRow> {
    return this.#topLevel.get(namespace) ?? [];
  }

  podsOn(node: string): Iterable<StoredRow> {
    return this.#byNode.get(node) ?? [];
  }

  *childrenOf(row: StoredRow): Iterable<StoredRow> {
    if (row.uid !== '') yield* this.#children.get(row.uid) ?? [];
    yield* this.#children.get(keyOf(row)) ?? [];
    if (row.type.kind !== 'StatefulSet') return;
    for (const claim of row.claims) yield* this.#claims.get(`${row.namespace}/${claim}`) ?? [];
  }

  parentsOf(row: StoredRow): readonly StoredRow[] {
    const parents = new Set<StoredRow>();
    for (const owner of row.owners) {
      const parent = this.#findOwner(owner, row.namespace);
      if (parent !== undefined) parents.add(parent);
    }
    if (row.type.kind === 'PersistentVolumeClaim') {
      for (const claim of row.claims) for (const set of this.#claimOwners.get(`${row.namespace}/${claim}`) ?? []) parents.add(set);
    }
    return [...parents];
  }

  /** What some child of an owner keeps of its owners. */
  ownersOfChildren(uid: string): readonly LiveOwner[] | undefined {
    for (const row of this.#children.get(uid) ?? []) return row.owners;
    return undefined;
  }

  /** The instances of the applications that an object belongs to, however far up. */
  instancesAbove(row: StoredRow): ReadonlySet<string> {
    const instances = new Set<string>();
    const seen = new Set<StoredRow>([row]);
    // A set grows while it is walked; owners may point at each other in a circle.
    for (const one of seen) {
      if (one.instance !== '') instances.add(one.instance);
      else for (const parent of this.parentsOf(one)) seen.add(parent);
    }
    return instances;
  }

  #findOwner(owner: LiveOwner, namespace: string): StoredRow | undefined {
    if (owner.uid !== undefined) return this.#byUid.get(owner.uid);
    const { group, kind, name } = owner;
    return this.#find(group, kind, namespace, name) ?? this.#find(group, kind, '', name);
  }

  #claimsOf(row: StoredRow): Map<string, Set<StoredRow>> {
    return row.type.kind === 'StatefulSet' ? this.#claimOwners : this.#claims;
  }

  #manage(row: StoredRow): void {
    const rows = this.#managed.get(row.instance) ?? new Map<string, StoredRow>();
    this.#managed.set(row.instance, rows.set(keyOf(row), row));
  }

  #release(row: StoredRow): void {
    const rows = this.#managed.get(row.instance);
    if (rows?.get(keyOf(row)) === row) rows.delete(keyOf(row));
    if (rows?.size === 0) this.#managed.delete(row.instance);
  }
}

export function keyOf({ type, namespace, name }: StoredRow): string {
  return objectKey({ group: type.group, kind: type.kind, namespace, name });
}

/** An owner without a uid is looked for beside the object; owners of no namespace always come with their uid. */
function ownerId({ group, kind, name, uid }: LiveOwner, namespace: string): string {
  return uid ?? objectKey({ group, kind, namespace, name });
}

function isSameOrBefore(row: StoredRow, known: StoredRow): boolean {
  return keyOf(row) <= keyOf(known);
}

function include(index: Map<string, Set<StoredRow>>, id: string, row: StoredRow): void {
  const rows = index.get(id);
  if (rows === undefined) index.set(id, new Set([row]));
  else rows.add(row);
}

function exclude(index: Map<string, Set<StoredRow>>, id: string, row: StoredRow): void {
  const rows = index.get(id);
  if (rows?.delete(row) && rows.size === 0) index.delete(id);
}
