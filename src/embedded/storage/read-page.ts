import type { Store } from './store.ts';
import type { StoredObject } from './stored-object.ts';

/** One object of a list: where it is and which state it has there. Labels are null for none, undefined where the state must tell. */
export interface PageRow {
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  readonly labels: string | null | undefined;
  /** The state; undefined where it is no longer there. It is decoded when it is asked for. */
  readonly read: () => StoredObject | undefined;
}

/** The place after which a page begins; the empty one is before everything. */
export interface Cursor {
  readonly namespace: string;
  readonly name: string;
}

export interface PageRequest {
  readonly resource: number;
  /** All namespaces when undefined. */
  readonly namespace: string | undefined;
  readonly after: Cursor;
  readonly limit: number;
  /** Text that the stored labels of every wanted object contain; undefined where nothing can be said. */
  readonly labelText?: string | undefined;
  /** The list shows the objects as they were at this version. */
  readonly version: number;
}

export interface Page {
  readonly rows: readonly PageRow[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: Cursor | undefined;
}

/**
 * A part of a list, by namespace and name, as it was at a version: what was changed since is replaced by what it was. A page can have a
 * few more or less rows than the limit says when there are such changes.
 */
export function readPage(store: Store, request: PageRequest): Page {
  const isCurrent = store.committedVersion === request.version;
  const known = isCurrent ? store.lastPage.recall(request) : undefined;
  if (known !== undefined) return known;
  const { limit, version, resource } = request;
  let characters = 0;
  const rows = readRows(store, request).map(([namespace, name, rowVersion, labels, keyId, body]): PageRow => {
    characters += body.length;
    const key = { resource, namespace, name };
    let state: StoredObject | undefined;
    const read = (): StoredObject =>
      (state ??= store.cached(key, rowVersion) ?? store.decode(key, { version: rowVersion, key_id: keyId, body }));
    return { namespace, name, version: rowVersion, labels, read };
  });
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last && { namespace: last.namespace, name: last.name };
  if (isCurrent) return store.lastPage.remember(request, { rows, next }, characters);
  const earlier = readEarlier(store, request).filter((row) => last === undefined || compareCursors(row, last) <= 0);
  return { rows: [...rows.filter((row) => row.version <= version), ...earlier].sort(compareCursors), next };
}

type Row = readonly [
  namespace: string,
  name: string,
  version: number,
  labels: string | null,
  keyId: string | null,
  body: string | Uint8Array,
];

function readRows({ statements }: Store, { resource, namespace, after, limit, labelText }: PageRequest): readonly Row[] {
  const all = (): unknown => {
    if (namespace === undefined) {
      const place = [resource, after.namespace, after.name] as const;
      return labelText === undefined
        ? statements.pageOfAll.all(...place, limit)
        : statements.pageOfAllWithLabel.all(...place, labelText, limit);
    }
    const place = [resource, namespace, after.name] as const;
    return labelText === undefined
      ? statements.pageOfNamespace.all(...place, limit)
      : statements.pageOfNamespaceWithLabel.all(...place, labelText, limit);
  };
  // The statements hand out arrays, which their type does not know.
  return all() as readonly Row[];
}

function readEarlier(store: Store, { resource, namespace, after, version }: PageRequest): readonly PageRow[] {
  return store.statements.changedSince
    .all(version, resource, version)
    .map((row): PageRow => {
      const place = { namespace: String(row['namespace']), name: String(row['name']) };
      const rowVersion = Number(row['version']);
      return { ...place, version: rowVersion, labels: undefined, read: () => store.readState({ resource, ...place }, rowVersion) };
    })
    .filter((row) => (namespace === undefined || row.namespace === namespace) && compareCursors(row, after) > 0);
}

/** By bytes, as SQLite orders texts; names and namespaces are ASCII. */
function compareCursors(left: Cursor, right: Cursor): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1;
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
