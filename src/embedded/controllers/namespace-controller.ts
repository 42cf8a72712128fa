import { isStatusError } from '../../objects/index.ts';
import type { Logger } from '../../base/index.ts';
import type { Change } from '../storage/store.ts';
import type { ObjectKey } from '../storage/stored-object.ts';
import { listAt, withValueAt } from '../json-path.ts';
import { deleteObject } from '../verbs/delete.ts';
import { metadataOf } from '../verbs/decode-input.ts';
import { updateSubresource } from '../verbs/update-subresource.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import { replaceObject } from '../verbs/update.ts';
import type { Kind } from '../kinds/kind.ts';
import { keyOfRow } from './garbage-collector.ts';
import { planNamespaceConditions } from './namespace-conditions.ts';
import type { NamespaceRest } from './namespace-conditions.ts';
import { WorkLoop } from './work-loop.ts';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' };
const FINALIZER = 'kubernetes';
const PAGE = 500;
const FIELD_MANAGER = 'kube-controller-manager';

/** Empties the namespaces that are being deleted; they go when nothing is left in them. */
export function createNamespaceController(
  context: VerbContext,
  log: Logger,
): WorkLoop<string> & { observe(changes: readonly Change[]): void; scan(): void } {
  const { store, kinds } = context;
  const resource = kinds.find(NAMESPACES)?.resource;
  const terminating = new Set<string>();
  const loop = new WorkLoop<string>('namespaces', log, async (name) => {
    if (await emptyNamespace(context, name)) terminating.delete(name);
  });
  const begin = (name: string): void => {
    terminating.add(name);
    loop.add(name, name);
  };
  return Object.assign(loop, {
    observe: (changes: readonly Change[]) => {
      for (const { type, key, state } of changes) {
        if (key.resource === resource && type !== 'DELETED' && state.text.includes('"deletionTimestamp"')) begin(key.name);
        else if (type === 'DELETED' && terminating.has(key.namespace)) loop.add(key.namespace, key.namespace);
      }
    },
    scan: () => {
      for (const row of store.statements.readDeleting.all()) if (row['resource'] === resource) begin(String(row['name']));
    },
  });
}

/** Deletes what is in a namespace and, when nothing is left, the namespace; says whether it is done with. */
async function emptyNamespace(context: VerbContext, name: string): Promise<boolean> {
  const kind = context.kinds.find(NAMESPACES);
  if (kind === undefined) return true;
  const key = { resource: kind.resource, namespace: '', name };
  const namespace = await context.store.read(() => context.store.lookup(key)?.object);
  if (namespace === undefined || metadataOf(namespace).deletionTimestamp === undefined) return true;
  for (const resource of context.store.counts.resourcesIn(name)) await deleteAll(context, resource, name);
  if (context.store.counts.resourcesIn(name).length > 0) {
    await tellWhatRemains(context, kind, name);
    return false;
  }
  await context.store.write(() => {
    const current = context.store.lookup(key)?.object;
    if (current === undefined) return;
    const finalizers = listAt(current, 'spec', 'finalizers').filter((finalizer) => finalizer !== FINALIZER);
    updateSubresource(context, kind, withValueAt(current, ['spec', 'finalizers'], finalizers), { subresource: 'finalize' });
  });
  return true;
}

/** Says in the namespace's status what holds it. */
async function tellWhatRemains(context: VerbContext, kind: Kind, name: string): Promise<void> {
  await context.store.write(() => {
    const before = context.store.lookup({ resource: kind.resource, namespace: '', name })?.object;
    if (before === undefined) return;
    const conditions = planNamespaceConditions(before, restOf(context, name), context.clock.nowMs());
    const after = withValueAt(before, ['status', 'conditions'], conditions);
    replaceObject(context, kind, { before, after, options: { fieldManager: FIELD_MANAGER, subresource: 'status' } });
  });
}

function restOf({ store, kinds }: VerbContext, namespace: string): NamespaceRest {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const resource of store.counts.resourcesIn(namespace)) {
    const type = kinds.findByResource(resource)?.type;
    resources.set(`${type?.plural ?? 'unknown'}.${type?.group ?? ''}`, store.counts.count(resource, namespace));
    for (const row of store.statements.readNames.all(resource, namespace, '', PAGE))
      for (const finalizer of metadataOf(store.lookup(keyOfRow(row))?.object ?? {}).finalizers ?? [])
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { resources, finalizers };
}

async function deleteAll(context: VerbContext, resource: number, namespace: string): Promise<void> {
  const { store } = context;
  let after = '';
  for (;;) {
    const keys = store.statements.readNames.all(resource, namespace, after, PAGE).map(keyOfRow);
    await Promise.all(keys.map((key) => deleteOne(context, key)));
    if (keys.length < PAGE) return;
    after = keys.at(-1)?.name ?? '';
  }
}

async function deleteOne({ store, ...rest }: VerbContext, key: ObjectKey): Promise<void> {
  const context = { store, ...rest };
  const object = store.lookup(key)?.object;
  if (object === undefined || metadataOf(object).deletionTimestamp !== undefined) return;
  const kind = context.kinds.findByResource(key.resource);
  try {
    // What nobody serves any more cannot be deleted as its kind would be, and must not hold the namespace.
    await store.write(() =>
      kind === undefined ? store.remove(key, object, false) : deleteObject(context, kind, key, { propagation: 'Background' }),
    );
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}
