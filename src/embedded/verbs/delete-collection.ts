import { isStatusError } from '../../objects/index.ts';
import type { DeleteOptions, ListOptions } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { deleteObject } from './delete.ts';
import { listObjects } from './list.ts';
import type { VerbContext } from './verb-context.ts';

const PAGE = 500;

/** Deletes what a list shows. What was deleted by someone else meanwhile is no failure. */
export async function deleteCollection(context: VerbContext, kind: Kind, selection: ListOptions, options: DeleteOptions): Promise<void> {
  let token: string | undefined = '';
  while (token !== undefined) {
    const page = await listObjects(context, kind, { ...selection, limit: PAGE, ...(token !== '' && { continue: token }) });
    const deletions = page.items.map(({ metadata: { name = '', namespace } }) =>
      context.store
        .write(() => deleteObject(context, kind, { name, ...(namespace !== undefined && { namespace }) }, options))
        .catch((error: unknown) => {
          if (!isStatusError(error, 'NotFound')) throw error;
        }),
    );
    await Promise.all(deletions);
    token = page.metadata.continue;
  }
}
