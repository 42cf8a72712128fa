import { statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { methodNotAllowed, objectNotFound } from '../refusals.ts';
import { listAt, withValueAt } from '../json-path.ts';
import { decodeInput, metadataOf } from './decode-input.ts';
import { isReadyToGo } from './delete-plan.ts';
import { objectFacts } from './object-facts.ts';
import { replaceScale, scaleKind } from './scale.ts';
import { checkUid, checkVersion, findObject, updateObject } from './update.ts';
import { keyOf } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

/** Replaces a Scale, or a Namespace's finalizers; the other subresources are parts of the object and are updated as such. */
export function updateSubresource(context: VerbContext, kind: Kind, input: JsonObject, options: EmbeddedWriteOptions): JsonObject {
  const { name = '', namespace } = metadataOf(input);
  if (name === '') throw statusError('BadRequest', 'the name of the object must be given');
  const before = findObject(context, kind, { name, ...(namespace !== undefined && { namespace }) });
  if (before === undefined) throw objectNotFound(kind.type, name);
  if (options.subresource === 'scale')
    return replaceScale(context, kind, { before, scale: decodeInput(scaleKind(kind), input, options), options });
  if (options.subresource === 'finalize')
    return finalizeNamespace(context, kind, { before, input: decodeInput(kind, input, options), options });
  if (options.subresource === 'ephemeralcontainers' || options.subresource === 'resize' || options.subresource === 'approval')
    return updateObject(context, kind, input, options);
  throw methodNotAllowed();
}

interface Finalization {
  readonly before: JsonObject;
  readonly input: JsonObject;
  readonly options: EmbeddedWriteOptions;
}

/** The only way to change the finalizers in a Namespace's spec; without any, a Namespace that is being deleted goes. */
function finalizeNamespace(context: VerbContext, kind: Kind, { before, input, options }: Finalization): JsonObject {
  checkUid(kind, metadataOf(input), metadataOf(before));
  checkVersion(kind, metadataOf(input), metadataOf(before));
  const finalizers = listAt(input, 'spec', 'finalizers');
  const after = withValueAt(before, ['spec', 'finalizers'], finalizers.length === 0 ? undefined : finalizers);
  if (options.dryRun === true) return after;
  const key = keyOf(kind, { name: metadataOf(before).name ?? '' });
  return isReadyToGo(after)
    ? context.store.remove(key, after, false)
    : context.store.put(key, after, objectFacts(kind, after, context.clock.nowMs()));
}
