import type { JsonObject } from '../../objects/index.ts';
import type { GetOptions, ObjectRef } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectNotFound } from '../refusals.ts';
import { scaleOf } from './scale.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { fromStored, keyOf, requireReadable, requireSubresource, servedText } from './verb-context.ts';
import type { VerbContext } from './verb-context.ts';

export async function getObject(context: VerbContext, kind: Kind, ref: ObjectRef, options: GetOptions): Promise<JsonObject> {
  const { subresource, keepManagedFields } = options;
  if (subresource !== undefined) requireSubresource(kind, subresource, ref.name);
  requireReadable(subresource);
  const state = await findState(context, kind, ref);
  const object = fromStored(kind, keepManagedFields === true ? state.object : state.lean);
  return subresource === 'scale' ? scaleOf(kind, object) : object;
}

/** The whole object as JSON. */
export async function getText(context: VerbContext, kind: Kind, ref: ObjectRef): Promise<string> {
  return servedText(kind, await findState(context, kind, ref));
}

async function findState({ store }: VerbContext, kind: Kind, ref: ObjectRef): Promise<StoredObject> {
  const state = await store.read(() => store.lookup(keyOf(kind, ref)));
  if (state === undefined) throw objectNotFound(kind.type, ref.name);
  return state;
}
