import type { JsonObject } from '../../objects/index.ts';
import type { GetOptions, ObjectRef } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectNotFound } from '../refusals.ts';
import { scaleOf } from './scale.ts';
import { fromStored, keyOf, requireSubresource } from './verb-context.ts';
import type { VerbContext } from './verb-context.ts';

export async function getObject(context: VerbContext, kind: Kind, ref: ObjectRef, options: GetOptions): Promise<JsonObject> {
  const { subresource, keepManagedFields } = options;
  if (subresource !== undefined) requireSubresource(kind, subresource, ref.name);
  const state = await context.store.read(() => context.store.lookup(keyOf(kind, ref)));
  if (state === undefined) throw objectNotFound(kind.type, ref.name);
  const object = fromStored(kind, keepManagedFields === true ? state.object : state.lean);
  return subresource === 'scale' ? scaleOf(kind, object) : object;
}
