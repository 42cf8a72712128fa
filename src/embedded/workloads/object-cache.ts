import type { KubeObject } from '../../objects/index.ts';
import { controllerUid, viewOf } from './view.ts';
import type { View } from './view.ts';
import type { WorkloadKind } from './workload-types.ts';

const TOMBSTONES_MAX = 2_000;

export type CacheListener = (now: View | undefined, before: View | undefined) => void;

/**
 * The objects of all watched kinds. It takes both what watches tell and what the controllers' own writes answer, whichever is newer, so
 * that a controller never acts again on a state that it has itself changed.
 */
export class ObjectCache {
  readonly #kinds = new Map<WorkloadKind, Map<string, Map<string, View>>>();
  readonly #dependents = new Map<string, Map<string, View>>();
  readonly #counts = new Map<WorkloadKind, number>();
  /** Versions at which objects were removed by ourselves, until the watch says so too. */
  readonly #tombstones = new Map<string, number>();
  readonly #listener: CacheListener;

  constructor(listener: CacheListener) {
    this.#listener = listener;
  }

  get(kind: WorkloadKind, namespace: string, name: string): View | undefined {
    return this.#kinds.get(kind)?.get(namespace)?.get(name);
  }

  inNamespace(kind: WorkloadKind, namespace: string): readonly View[] {
    return [...(this.#kinds.get(kind)?.get(namespace)?.values() ?? [])];
  }

  all(kind: WorkloadKind): readonly View[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])].flatMap((names) => [...names.values()]);
  }

  /** How many there are of a kind. */
  count(kind: WorkloadKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** The objects of a kind that the owner controls. */
  dependents(kind: WorkloadKind, ownerUid: string): readonly View[] {
    return [...(this.#dependents.get(ownerUid)?.values() ?? [])].filter((view) => view.kind === kind);
  }

  /** The objects of a kind that nobody controls. */
  orphans(kind: WorkloadKind, namespace: string): readonly View[] {
    return [...(this.#dependents.get(orphanage(kind, namespace))?.values() ?? [])];
  }

  put(kind: WorkloadKind, object: KubeObject): void {
    const now = viewOf(kind, object);
    const before = this.get(kind, now.namespace, now.name);
    if (before !== undefined && versionOf(before) >= versionOf(now)) return;
    if ((this.#tombstones.get(graveOf(now)) ?? 0) >= versionOf(now)) return;
    if (before !== undefined) this.#unlink(before);
    this.#link(now);
    this.#listener(now, before);
  }

  /** Removes an object that we have deleted ourselves, in the version that we know. */
  bury(view: View): void {
    if (this.#tombstones.size >= TOMBSTONES_MAX) this.#tombstones.delete(this.#tombstones.keys().next().value ?? '');
    this.#tombstones.set(graveOf(view), Math.max(versionOf(view), versionOf(this.get(view.kind, view.namespace, view.name) ?? view)));
    this.#drop(view.kind, view.namespace, view.name, view.uid);
  }

  /** The watch says that it is gone. */
  remove(kind: WorkloadKind, namespace: string, name: string, object?: KubeObject): void {
    const uid = object?.metadata.uid;
    if (uid !== undefined) this.#tombstones.delete(`${kind} ${uid}`);
    this.#drop(kind, namespace, name, uid);
  }

  #drop(kind: WorkloadKind, namespace: string, name: string, uid: string | undefined): void {
    const before = this.get(kind, namespace, name);
    // One of the same name that came after it stays.
    if (before === undefined || (uid !== undefined && before.uid !== uid)) return;
    this.#unlink(before);
    this.#listener(undefined, before);
  }

  #link(view: View): void {
    placeIn(placeIn(this.#kinds, view.kind), view.namespace).set(view.name, view);
    this.#counts.set(view.kind, this.count(view.kind) + 1);
    placeIn(this.#dependents, controllerUid(view) ?? orphanage(view.kind, view.namespace)).set(graveOf(view), view);
  }

  #unlink(view: View): void {
    const namespaces = this.#kinds.get(view.kind);
    const names = namespaces?.get(view.namespace);
    if (names?.delete(view.name) === true) this.#counts.set(view.kind, this.count(view.kind) - 1);
    if (names?.size === 0) namespaces?.delete(view.namespace);
    const owner = controllerUid(view) ?? orphanage(view.kind, view.namespace);
    const siblings = this.#dependents.get(owner);
    siblings?.delete(graveOf(view));
    if (siblings?.size === 0) this.#dependents.delete(owner);
  }
}

function placeIn<Key, Name, Value>(places: Map<Key, Map<Name, Value>>, key: Key): Map<Name, Value> {
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = new Map<Name, Value>();
  places.set(key, place);
  return place;
}

function orphanage(kind: WorkloadKind, namespace: string): string {
  return `none ${kind} ${namespace}`;
}

function graveOf({ kind, uid }: View): string {
  return `${kind} ${uid}`;
}

/** Versions are numbers that grow in every API that we simulate workloads on. */
function versionOf({ metadata }: View): number {
  return Number(metadata.resourceVersion ?? 0);
}
