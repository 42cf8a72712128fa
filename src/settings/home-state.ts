import { LruMap } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { configMapNames, labelledSecretTypes, partOfLabel, partOfValue, secretNames, secretTypeLabel } from './home-objects.ts';

const goneMax = 1_000;

/** What of a namespace the settings are made from; everything else in it is let go. */
export class HomeState {
  readonly #configMaps = new Map<string, KubeObject>();
  readonly #secrets = new Map<string, KubeObject>();
  /** Objects that we wrote and that the watch has not shown yet: until it does, what it shows is older. */
  readonly #ahead = new Set<KubeObject>();
  /** Ids of objects that are gone: the answer to a write may come after the news that somebody deleted what it wrote. */
  readonly #gone = new LruMap<string, true>(goneMax);
  /** Ids of objects that we deleted, of which the watch may still have older news. */
  #deletedAhead = new LruMap<string, true>(goneMax);

  configMap(name: string): KubeObject | undefined {
    return this.#configMaps.get(name);
  }

  secret(name: string): KubeObject | undefined {
    return this.#secrets.get(name);
  }

  secrets(): Iterable<KubeObject> {
    return this.#secrets.values();
  }

  /** Takes what a watch or a list showed. Returns whether that is news. */
  see(object: KubeObject): boolean {
    if (this.#deletedAhead.get(object.metadata.uid ?? '') === true) return false;
    const objects = this.#mapOf(object);
    const name = object.metadata.name ?? '';
    const known = objects.get(name);
    if (known !== undefined && this.#ahead.has(known)) {
      if (isOlder(object, known)) return false;
      this.#ahead.delete(known);
    }
    if (!isOurs(object)) return objects.delete(name);
    objects.set(name, object);
    return known?.metadata.resourceVersion !== object.metadata.resourceVersion || known?.metadata.uid !== object.metadata.uid;
  }

  /** Takes the answer to a write of ours, so that who wrote reads it back at once. */
  wrote(object: KubeObject): boolean {
    const objects = this.#mapOf(object);
    const known = objects.get(object.metadata.name ?? '');
    if (known === undefined ? this.#gone.get(object.metadata.uid ?? '') === true : !isOlder(known, object)) return false;
    const news = this.see(object);
    this.#ahead.add(object);
    return news;
  }

  /** Forgets what a watch or a list says is gone, unless it has been made again since. */
  remove(object: KubeObject): boolean {
    this.#deletedAhead.delete(object.metadata.uid ?? '');
    return this.#forget(object);
  }

  /** Forgets what we deleted ourselves: what the watch tells of it from now on is from before. */
  deleted(object: KubeObject): boolean {
    this.#deletedAhead.set(object.metadata.uid ?? '', true);
    return this.#forget(object);
  }

  /** After a whole list nothing of ours is ahead. */
  listed(): void {
    this.#ahead.clear();
    this.#deletedAhead = new LruMap(goneMax);
  }

  #forget(object: KubeObject): boolean {
    this.#gone.set(object.metadata.uid ?? '', true);
    const objects = this.#mapOf(object);
    const name = object.metadata.name ?? '';
    const known = objects.get(name);
    if (known === undefined || known.metadata.uid !== object.metadata.uid) return false;
    this.#ahead.delete(known);
    return objects.delete(name);
  }

  #mapOf(object: KubeObject): Map<string, KubeObject> {
    return object.kind === 'Secret' ? this.#secrets : this.#configMaps;
  }
}

/** Whether an object is one that settings are read from. */
export function isOurs({ kind, metadata }: KubeObject): boolean {
  const { name = '', labels = {} } = metadata;
  if (kind === 'ConfigMap') return Object.values<string>(configMapNames).includes(name);
  if (Object.values<string>(secretNames).includes(name)) return true;
  const secretType = labels[secretTypeLabel];
  return labels[partOfLabel] === partOfValue || labelledSecretTypes.some((type) => type === secretType);
}

/** Resource versions count up; those that do not look like numbers tell nothing. */
function isOlder(object: KubeObject, known: KubeObject): boolean {
  const [version, knownVersion] = [object.metadata.resourceVersion, known.metadata.resourceVersion].map((text) =>
    text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined,
  );
  return version !== undefined && knownVersion !== undefined && version < knownVersion;
}
