import type { ObjectStore } from '../../../kube/index.ts';
import type { Application } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import { factsOf, type ApplicationFacts } from './application-facts.ts';
import { readStored } from './encoded-applications.ts';

export interface KnownApplication {
  readonly application: Application;
  readonly facts: ApplicationFacts;
}

const known = new WeakMap<ObjectStore, () => readonly KnownApplication[]>();

/** All applications by name, and where that is the same by namespace. The order is kept while they only change, so that nothing is sorted for a list. */
export function applicationsByName(store: ObjectStore): readonly KnownApplication[] {
  let read = known.get(store);
  if (read === undefined) known.set(store, (read = followOrder(store)));
  return read();
}

function followOrder(store: ObjectStore): () => readonly KnownApplication[] {
  const places = new Map<string, number>();
  const changed = new Map<number, KubeObject>();
  let ordered: KnownApplication[] | undefined;
  store.subscribe(({ type, object }) => {
    if (ordered === undefined) return;
    const place = type === 'changed' ? places.get(pathOf(object)) : undefined;
    // What comes or goes moves the others.
    if (place === undefined) ordered = undefined;
    else changed.set(place, object);
  });
  return () => {
    if (ordered === undefined) {
      const objects = [...store.values()].sort(compare);
      places.clear();
      for (const [place, object] of objects.entries()) places.set(pathOf(object), place);
      ordered = objects.map(know);
    } else for (const [place, object] of changed) ordered[place] = know(object);
    changed.clear();
    return ordered;
  };
}

function know(object: KubeObject): KnownApplication {
  const application = readStored(object);
  return { application, facts: factsOf(application) };
}

function pathOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function compare({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  return compareTexts(one.name ?? '', other.name ?? '') || compareTexts(one.namespace ?? '', other.namespace ?? '');
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
