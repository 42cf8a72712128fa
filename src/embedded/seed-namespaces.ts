import { createObject } from './verbs/create.ts';
import { findObject } from './verbs/update.ts';
import { requireKind } from './verbs/verb-context.ts';
import type { VerbContext } from './verbs/verb-context.ts';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const SYSTEM_NAMES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** Where Fairway keeps its own objects; a user may delete it, and then it stays deleted. */
const HOME_NAME = 'argocd';

/** A new database has the namespaces that a cluster has, and the one that Fairway lives in. */
export async function seedNamespaces(context: VerbContext): Promise<void> {
  const kind = requireKind(context, NAMESPACES, 'create');
  const isNew = context.store.committedVersion === 0;
  await context.store.write(() => {
    for (const name of isNew ? [...SYSTEM_NAMES, HOME_NAME] : SYSTEM_NAMES) {
      if (findObject(context, kind, { name }) !== undefined) continue;
      createObject(context, kind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'kube-apiserver' });
    }
  });
}
