import type { Clock } from '../../base/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import type { ObjectRef, ResourceType, WriteOptions } from '../../kube/index.ts';
import { methodNotAllowed, objectNotFound, resourceNotServed } from '../refusals.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { Reviewer } from '../reviews/answer-review.ts';
import type { Kind } from '../kinds/kind.ts';
import type { History } from '../storage/history.ts';
import type { Store } from '../storage/store.ts';
import type { ObjectKey, StoredObject } from '../storage/stored-object.ts';

/** Chance, handed in so that tests can set it. */
export interface Random {
  uuid(): string;
  /** An integer from 0 up to, but without, the limit. */
  below(limit: number): number;
}

/** What every verb works with. */
export interface VerbContext {
  readonly store: Store;
  readonly history: History;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a caller of the embedded API may want to know of a write beyond its result. */
export interface EmbeddedWriteOptions extends WriteOptions {
  /** Told of each field that was dropped, and of other things that a client should show. */
  readonly onWarning?: (text: string) => void;
  /** Who asks, for reviews; this process unless given. */
  readonly reviewer?: Reviewer;
  /** Told that an update or patch has created the object. */
  readonly onCreated?: () => void;
}

/** The kind of a request, if it is served and has the verb. */
export function requireKind({ kinds }: VerbContext, type: ResourceType, verb: string): Kind {
  const kind = kinds.find(type);
  if (kind === undefined) throw resourceNotServed();
  if (!kind.verbs.includes(verb)) throw methodNotAllowed();
  return kind;
}

/** A subresource that a custom kind does not have is told as if the object were not there. */
export function requireSubresource(kind: Kind, subresource: string, name: string): void {
  if (kind.subresources.includes(subresource)) return;
  throw kind.isCustom === true ? objectNotFound(kind.type, name) : resourceNotServed();
}

/** Subresources that are no part of the object: there is nothing to read, and nothing to patch. */
const DETACHED: ReadonlySet<string> = new Set(['attach', 'binding', 'eviction', 'exec', 'finalize', 'portforward', 'proxy', 'token']);

export function requireReadable(subresource: string | undefined): void {
  if (subresource !== undefined && DETACHED.has(subresource)) throw methodNotAllowed();
}

export function keyOf(kind: Kind, { namespace = '', name }: ObjectRef): ObjectKey {
  return { resource: kind.resource, namespace: kind.type.namespaced ? namespace : '', name };
}

/** A stored object as this kind serves it. */
export function fromStored({ storage, type, apiVersion }: Kind, object: JsonObject): JsonObject {
  if (storage.decode !== undefined) return storage.decode(object);
  return type.version === storage.version && type.group === storage.group ? object : { ...object, apiVersion };
}

/** A stored object as JSON, as this kind serves it. */
export function servedText(kind: Kind, state: StoredObject): string {
  const { storage, type } = kind;
  const isStored = storage.decode === undefined && type.version === storage.version && type.group === storage.group;
  return isStored ? state.fullText : JSON.stringify(fromStored(kind, state.object));
}

export function toStored({ storage, type }: Kind, object: JsonObject): JsonObject {
  if (storage.encode !== undefined) return storage.encode(object);
  if (type.version === storage.version && type.group === storage.group) return object;
  return { ...object, apiVersion: storage.group === '' ? storage.version : `${storage.group}/${storage.version}` };
}

// The API's own types of objects are narrower than JSON only in what they allow to be absent.
export function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

export function asKubeObject(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
