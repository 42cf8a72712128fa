import { trimEndOf } from '../../../../base/index.ts';
import type { JsonValue } from '../../../../objects/index.ts';
import { requireList } from '../answer-fields.ts';
import { keepFields } from './keep-fields.ts';
import { nextLink } from './next-link.ts';
import { ProviderError } from './provider-error.ts';
import { readUntilStable, type ReadList } from './read-until-stable.ts';
import type { ProviderAnswer, ProviderClient } from './provider-client.ts';

export interface Page {
  readonly items: readonly JsonValue[];
  /** The address of the next one; undefined where this is the last. */
  readonly next: string | undefined;
}

/** Puts what an answer holds into a list. Throws ProviderError where the list grows too large. */
export type AddToList = (items: JsonValue[], found: readonly JsonValue[]) => void;

/**
 * For one list: a provider that sends page after page would fill the memory long before it has sent too many of them. So would one that
 * names very many repositories, each of which has a list of its own: all of a run count together, too.
 */
export function createAddToList({ limits, kept }: Pick<ProviderClient, 'limits' | 'kept'>): AddToList {
  const { listBytesMax, runBytesMax } = limits;
  let sizeBytes = 0;
  const spend = (bytes: number): void => {
    sizeBytes += bytes;
    kept.bytes += bytes;
    if (sizeBytes > listBytesMax) throw new ProviderError(`a list has more than ${listBytesMax} bytes`, { status: 200 });
    if (kept.bytes > runBytesMax) throw new ProviderError(`all lists together have more than ${runBytesMax} bytes`, { status: 200 });
  };
  return (items, found) => {
    for (const item of found) items.push(keepFields(item, spend));
  };
}

/** Everything that a list holds, page by page. A page that fails fails the list; one that is longer than the limit does, too. */
export function listPages(
  client: ProviderClient,
  first: string,
  read: (answer: ProviderAnswer, url: string) => Page,
): Promise<readonly JsonValue[]> {
  return readUntilStable(() => listOnce(client, first, read));
}

async function listOnce(client: ProviderClient, first: string, read: (answer: ProviderAnswer, url: string) => Page): Promise<ReadList> {
  const items: JsonValue[] = [];
  const add = createAddToList(client);
  const seen = new Set<string>();
  for (let url: string | undefined = first; url !== undefined;) {
    // A provider that leads in circles would never end.
    if (seen.has(url)) throw new ProviderError('the pages of a list lead in a circle', { status: 200 });
    if (seen.size >= client.limits.pagesMax)
      throw new ProviderError(`a list has more than ${client.limits.pagesMax} pages`, { status: 200 });
    seen.add(url);
    const answer = await client.ask({ url });
    const page = read(answer, url);
    add(items, page.items);
    url = page.next;
  }
  return { items, pages: seen.size };
}

/** A page that is a list, whose `Link` header names the next one. */
export function readLinkedPage({ json, headers }: ProviderAnswer, url: string): Page {
  return { items: requireList(json), next: sameServer(nextLink(headers), url) };
}

/** The next page, on the server that was asked: credentials go nowhere else. */
export function sameServer(next: string | undefined, url: string): string | undefined {
  if (next === undefined) return undefined;
  const target = URL.canParse(next, url) ? new URL(next, url) : undefined;
  if (target === undefined || target.origin !== new URL(url).origin)
    throw new ProviderError('the next page of a list is on another server, which is not asked', { status: 200 });
  return target.href;
}

/** An address with some of its query set anew. */
export function withQuery(url: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) changed.searchParams.set(name, String(value));
  return changed.href;
}

/** Path segments as they stand in an address. */
export function joinPath(base: string, ...segments: readonly string[]): string {
  return `${trimEndOf(base, '/')}/${segments.map(encodeURIComponent).join('/')}`;
}

/** A path of a repository as it stands in an address: its slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
