import { isJsonObject, type JsonValue } from '../../../../objects/index.ts';
import { ProviderError } from './provider-error.ts';

export interface ReadList {
  readonly items: readonly JsonValue[];
  readonly pages: number;
}

const readsMax = 4;

/**
 * A list as it was at one moment. Where something goes from an earlier page while the list is being read, everything behind it moves up,
 * and what moves over the edge of a page is never seen. So a list of several pages is read until it is the same twice.
 */
export async function readUntilStable(read: () => Promise<ReadList>): Promise<readonly JsonValue[]> {
  let last = await read();
  for (let reads = 1; reads < readsMax; reads++) {
    if (last.pages <= 1) return last.items;
    const next = await read();
    if (isSameList(last.items, next.items)) return next.items;
    last = next;
  }
  throw new ProviderError('a list changes too often to be read as a whole', { status: 200 });
}

function isSameList(one: readonly JsonValue[], other: readonly JsonValue[]): boolean {
  return one.length === other.length && one.every((item, index) => identify(item) === identify(other[index]));
}

/** What stays the same of an item, whatever else changes. */
function identify(item: JsonValue | undefined): string {
  if (!isJsonObject(item)) return JSON.stringify(item);
  const { id, uuid, pullRequestId, name } = item;
  return JSON.stringify([id ?? uuid ?? pullRequestId ?? name ?? item]);
}
