import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** With the states themselves: for a list, asking for each of them would take longer than reading them. */
const PAGE = 'SELECT o.namespace, o.name, o.version, o.labels, v.key_id, v.body FROM objects o JOIN versions v ON v.version = o.version';

const TEXTS = {
  readMeta: 'SELECT value FROM meta WHERE key = ?',
  writeMeta: 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  readResources: 'SELECT id, api_group, plural FROM resources',
  insertResource: 'INSERT INTO resources (api_group, plural) VALUES (?, ?) RETURNING id',
  readCounts: 'SELECT resource, namespace, count(*) AS count FROM objects GROUP BY resource, namespace',
  lastVersion: 'SELECT max(version) AS version FROM versions',

  readCurrent:
    'SELECT v.version, v.key_id, v.body FROM objects o JOIN versions v ON v.version = o.version WHERE o.resource = ? AND o.namespace = ? AND o.name = ?',
  readVersion: 'SELECT version, resource, namespace, name, key_id, body FROM versions WHERE version = ?',
  insertVersion:
    'INSERT INTO versions (version, resource, type, previous, at_ms, namespace, name, key_id, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  insertObject:
    'INSERT INTO objects (resource, namespace, name, version, uid, labels, deleting, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  updateObject:
    'UPDATE objects SET version = ?, labels = ?, deleting = ?, expires_ms = ? WHERE resource = ? AND namespace = ? AND name = ?',
  deleteObject: 'DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?',

  insertOwner: 'INSERT OR IGNORE INTO owners (owner_uid, resource, namespace, name) VALUES (?, ?, ?, ?)',
  deleteOwners: 'DELETE FROM owners WHERE resource = ? AND namespace = ? AND name = ?',
  readDependents: 'SELECT resource, namespace, name FROM owners WHERE owner_uid = ? ORDER BY resource, namespace, name',
  readDangling: 'SELECT DISTINCT resource, namespace, name FROM owners WHERE owner_uid NOT IN (SELECT uid FROM objects)',
  readDeleting: 'SELECT resource, namespace, name FROM objects WHERE deleting = 1',
  readExpired: 'SELECT resource, namespace, name FROM objects WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?',
  readNames: 'SELECT resource, namespace, name FROM objects WHERE resource = ? AND namespace = ? AND name > ? ORDER BY name LIMIT ?',

  pageOfAll: `${PAGE} WHERE o.resource = ? AND (o.namespace, o.name) > (?, ?) ORDER BY o.namespace, o.name LIMIT ?`,
  pageOfNamespace: `${PAGE} WHERE o.resource = ? AND o.namespace = ? AND o.name > ? ORDER BY o.name LIMIT ?`,
  pageOfAllWithLabel: `${PAGE} WHERE o.resource = ? AND (o.namespace, o.name) > (?, ?) AND instr(o.labels, ?) > 0 ORDER BY o.namespace, o.name LIMIT ?`,
  pageOfNamespaceWithLabel: `${PAGE} WHERE o.resource = ? AND o.namespace = ? AND o.name > ? AND instr(o.labels, ?) > 0 ORDER BY o.name LIMIT ?`,
  /** The states at a version of the objects that were changed after it. */
  changedSince:
    'SELECT p.namespace, p.name, p.version FROM versions v JOIN versions p ON p.version = v.previous WHERE v.version > ? AND v.resource = ? AND v.previous BETWEEN 1 AND ?',

  historyPage:
    'SELECT version, type, previous, namespace, name, key_id, body FROM versions WHERE version > ? AND version <= ? AND resource = ? ORDER BY version LIMIT ?',
  versionBefore: 'SELECT version FROM versions WHERE version > ? AND at_ms >= ? ORDER BY version LIMIT 1',
  deleteReplaced:
    'DELETE FROM versions WHERE version IN (SELECT previous FROM versions WHERE version > ? AND version <= ? AND previous > 0)',
  deleteTombstones: 'DELETE FROM versions WHERE version > ? AND version <= ? AND type = 2',

  readKeyIds: 'SELECT DISTINCT key_id FROM versions WHERE key_id IS NOT NULL',
  readSealedWithOther:
    'SELECT version, resource, namespace, name, key_id, body FROM versions WHERE key_id IS NOT NULL AND key_id <> ? ORDER BY version LIMIT ?',
  reseal: 'UPDATE versions SET key_id = ?, body = ? WHERE version = ?',
} as const;

const LISTS = [
  'pageOfAll',
  'pageOfNamespace',
  'pageOfAllWithLabel',
  'pageOfNamespaceWithLabel',
] as const satisfies readonly (keyof typeof TEXTS)[];

export type Statements = { readonly [Name in keyof typeof TEXTS]: StatementSync };

/** Everything that the store asks SQLite, prepared once. */
export function prepareStatements(database: DatabaseSync): Statements {
  const entries = Object.entries(TEXTS).map(([name, text]) => [name, database.prepare(text)] as const);
  const statements = Object.fromEntries(entries) as Statements;
  // Those with many rows: an array for each is cheaper than an object.
  for (const name of LISTS) statements[name].setReturnArrays(true);
  return statements;
}
