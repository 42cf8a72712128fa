import type { JsonObject } from '../../objects/index.ts';
import type { GetOptions, ObjectRef } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectNotFound } from '../refusals.ts';
import { scaleOf } from './scale.ts';
import { findObject } from './update.ts';
import { requireSubresource } from './verb-context.ts';
import type { VerbContext } from './verb-context.ts';

export async function getObject(context: VerbContext, kind: Kind, ref: ObjectRef, { subresource }: GetOptions): Promise<JsonObject> {
  if (subresource !== undefined) requireSubresource(kind, subresource, ref.name);
  const object = await context.store.read(() => findObject(context, kind, ref));
  if (object === undefined) throw objectNotFound(kind.type, ref.name);
  return subresource === 'scale' ? scaleOf(kind, object) : object;
}
