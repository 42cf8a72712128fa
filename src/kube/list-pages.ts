import { isStatusError } from '../objects/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { ListOptions, ObjectList } from './kube-api.ts';

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
