import type { Store } from './store.ts';

/** One object of a list: where it is and which state it has there. Labels are null for none, undefined where the state must tell. */
export interface PageRow {
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  readonly labels: string | null | undefined;
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
  const { limit, version } = request;
  const found = readRows(store, request);
  const rows = found.map((row): PageRow => ({
    namespace: String(row['namespace']),
    name: String(row['name']),
    version: Number(row['version']),
    labels: row['labels'] as string | null,
  }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last && { namespace: last.namespace, name: last.name };
  if (store.committedVersion === version) return { rows, next };
  const earlier = readEarlier(store, request).filter((row) => last === undefined || compareCursors(row, last) <= 0);
  return { rows: [...rows.filter((row) => row.version <= version), ...earlier].sort(compareCursors), next };
}

function readRows({ statements }: Store, { resource, namespace, after, limit, labelText }: PageRequest): Record<string, unknown>[] {
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
}

function readEarlier(store: Store, { resource, namespace, after, version }: PageRequest): readonly PageRow[] {
  return store.statements.changedSince
    .all(version, resource, version)
    .map((row): PageRow => ({
      namespace: String(row['namespace']),
      name: String(row['name']),
      version: Number(row['version']),
      labels: undefined,
    }))
    .filter((row) => (namespace === undefined || row.namespace === namespace) && compareCursors(row, after) > 0);
}

/** By bytes, as SQLite orders texts; names and namespaces are ASCII. */
function compareCursors(left: Cursor, right: Cursor): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1;
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
