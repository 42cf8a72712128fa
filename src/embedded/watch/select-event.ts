import type { JsonObject } from '../../objects/index.ts';
import type { WatchEvent } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Change } from '../storage/store.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { metadataOf, withMetadata } from '../verbs/decode-input.ts';
import type { Selection } from '../verbs/selection.ts';
import { asKubeObject, fromStored } from '../verbs/verb-context.ts';

/** What a watcher with this selection sees of a change: what begins to match is added for it, what no longer does is deleted. */
export function selectEvent(kind: Kind, selection: Selection, change: Change, isWhole: boolean): WatchEvent | undefined {
  const { type, key, state } = change;
  const read = (one: StoredObject): JsonObject => fromStored(kind, isWhole ? one.object : one.lean);
  if (selection.namespace !== undefined && key.namespace !== selection.namespace) return undefined;
  if (!selection.isFiltered) return { type, object: asKubeObject(read(state)) };
  const object = read(state);
  const previous = change.previous && read(change.previous);
  const matchesNow = type !== 'DELETED' && selection.matches(object);
  const matchedBefore = previous !== undefined && selection.matches(previous);
  if (matchesNow) return { type: matchedBefore ? 'MODIFIED' : 'ADDED', object: asKubeObject(object) };
  if (!matchedBefore) return undefined;
  return { type: 'DELETED', object: asKubeObject(type === 'DELETED' ? object : atVersion(previous, change.version)) };
}

/** What leaves a selection is shown as it was last in it, at the version that took it out. */
function atVersion(object: JsonObject, version: number): JsonObject {
  return withMetadata(object, { ...metadataOf(object), resourceVersion: String(version) });
}
