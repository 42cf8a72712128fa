import { isStatusError } from '../objects/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { AnswerTooLarge } from './http/index.ts';
import type { ListOptions, ObjectList, ResourceType } from './kube-api.ts';

/** Pages are made smaller by this much where one was too large. */
const SHRINK = 8;

/**
 * Everything, page by page. Where the place to go on from has expired under way, everything is asked for again in one answer, once:
 * the pages so far and the rest would not belong to the same moment.
 */
export async function listPages(
  options: ListOptions,
  pageSize: number,
  listOnce: (page: ListOptions) => Promise<ObjectList>,
): Promise<ObjectList> {
  const first = await listOnce({ ...options, limit: pageSize });
  if (first.metadata.continue === undefined) return first;
  const items: KubeObject[] = [...first.items];
  // The place to go on from says which version is meant; the API refuses both together.
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = options;
  let next: string | undefined = first.metadata.continue;
  let { resourceVersion } = first.metadata;
  while (next !== undefined) {
    let page: ObjectList;
    try {
      page = await listOnce({ ...rest, limit: pageSize, continue: next });
    } catch (error) {
      if (isStatusError(error, 'Expired', 'Gone')) return await listOnce(options);
      throw error;
    }
    for (const item of page.items) items.push(item);
    next = page.metadata.continue;
    ({ resourceVersion } = page.metadata);
  }
  return { metadata: { resourceVersion }, items };
}

/**
 * Lists pages, and where the objects of a kind are so large that a page goes past the limit of an answer, smaller ones from then
 * on: a page may always hold less than was asked for.
 */
export function createPageLister(
  listOnce: (type: ResourceType, page: ListOptions) => Promise<ObjectList>,
): (type: ResourceType, page: ListOptions) => Promise<ObjectList> {
  const pageSizes = new Map<string, number>();
  return async (type, page) => {
    if (page.limit === undefined) return await listOnce(type, page);
    const key = `${type.group}/${type.plural}`;
    for (let limit = Math.min(page.limit, pageSizes.get(key) ?? page.limit); ; limit = Math.max(1, Math.floor(limit / SHRINK))) {
      try {
        return await listOnce(type, { ...page, limit });
      } catch (error) {
        if (!(error instanceof AnswerTooLarge) || limit <= 1) throw error;
        pageSizes.set(key, Math.max(1, Math.floor(limit / SHRINK)));
      }
    }
  };
}
