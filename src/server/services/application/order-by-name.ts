import type { ObjectStore } from '../../../kube/index.ts';
import type { KubeObject } from '../../../objects/index.ts';

const known = new WeakMap<ObjectStore, () => readonly KubeObject[]>();

/** The objects of a store by name, and where that is the same by namespace. Kept while they only change, so that nothing is sorted for a list. */
export function valuesByName(store: ObjectStore): readonly KubeObject[] {
  let read = known.get(store);
  if (read === undefined) known.set(store, (read = followOrder(store)));
  return read();
}

function followOrder(store: ObjectStore): () => readonly KubeObject[] {
  const places = new Map<string, number>();
  let ordered: KubeObject[] | undefined;
  store.subscribe(({ type, object }) => {
    const place = type === 'changed' ? places.get(pathOf(object)) : undefined;
    if (ordered === undefined || place === undefined) ordered = undefined;
    else ordered[place] = object;
  });
  return () => {
    if (ordered === undefined) {
      ordered = [...store.values()].sort(compare);
      places.clear();
      for (const [place, object] of ordered.entries()) places.set(pathOf(object), place);
    }
    return ordered;
  };
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
