import { ApiError, Code, type Clock } from '../base/index.ts';
import { isStatusError } from '../objects/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { AnswerTooLarge } from './http/index.ts';
import type { ListOptions, ObjectList, ResourceType } from './kube-api.ts';

/** Pages are made smaller by this much where one was too large or took too long. */
const SHRINK = 8;
/** What is slow may become quick again: for that pages are made smaller only for a while, and not smaller than this. */
const SLOW = { sizeMin: 50, keepMs: 60 * 60_000 };

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
 * on: a page may always hold less than was asked for. After a page that took all its time smaller ones are asked for too.
 */
export function createPageLister(
  listOnce: (type: ResourceType, page: ListOptions) => Promise<ObjectList>,
  clock: Clock,
): (type: ResourceType, page: ListOptions) => Promise<ObjectList> {
  const known = new Map<string, { readonly size: number; readonly untilMs: number }>();
  return async (type, page) => {
    if (page.limit === undefined) return await listOnce(type, page);
    const key = `${type.group}/${type.plural}`;
    const kept = known.get(key);
    const sizeMax = kept !== undefined && clock.nowMs() < kept.untilMs ? kept.size : page.limit;
    for (let limit = Math.min(page.limit, sizeMax); ; limit = shrink(limit)) {
      try {
        return await listOnce(type, { ...page, limit });
      } catch (error) {
        // Whoever waits has no time left for another try; the next one is for less.
        if (isLate(error) && limit > SLOW.sizeMin)
          known.set(key, { size: Math.max(SLOW.sizeMin, shrink(limit)), untilMs: clock.nowMs() + SLOW.keepMs });
        if (!(error instanceof AnswerTooLarge) || limit <= 1) throw error;
        known.set(key, { size: shrink(limit), untilMs: Infinity });
      }
    }
  };
}

function shrink(limit: number): number {
  return Math.max(1, Math.floor(limit / SHRINK));
}

/** Whether the time was over, ours or that which the API gives itself. */
function isLate(error: unknown): boolean {
  return (error instanceof ApiError && error.code === Code.DeadlineExceeded) || isStatusError(error, 'Timeout');
}
