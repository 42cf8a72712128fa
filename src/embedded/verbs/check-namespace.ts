import type { Kind } from '../kinds/kind.ts';
import { objectForbidden, objectNotFound } from '../refusals.ts';
import { textAt } from '../json-path.ts';
import type { VerbContext } from './verb-context.ts';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' };

/** New objects need a namespace that exists and is not about to go. */
export function checkNamespace(context: VerbContext, kind: Kind, namespace: string, name: string): void {
  if (!kind.type.namespaced) return;
  const namespaces = context.kinds.find(NAMESPACES);
  const found = namespaces && context.store.lookup({ resource: namespaces.resource, namespace: '', name: namespace })?.object;
  if (found === undefined) throw objectNotFound(NAMESPACES, namespace);
  if (textAt(found, 'metadata', 'deletionTimestamp') === '') return;
  throw objectForbidden(kind.type, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ]);
}
