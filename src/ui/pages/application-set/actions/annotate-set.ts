import { api } from '../../../api/index.ts';
import type { ApplicationSetName } from '../use-application-set.ts';

/** The controller looks at the outside anew, past what it remembers, and takes this away again. */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/application-set-refresh';
/** `pause`, `abort` or `resume`. */
export const ROLLOUT_ANNOTATION = 'fairway.dev/rollout';
/** Its value is how many applications may go. */
export const CONFIRM_ANNOTATION = 'fairway.dev/confirm-deletion';

/** Says something to the controller. Made from the set as it is at that moment: what is on the screen may be older. */
export async function annotateSet({ name, namespace }: ApplicationSetName, annotation: string, value: string): Promise<void> {
  const { metadata, spec } = await api.ApplicationSetService.Get({ name, appsetNamespace: namespace });
  const { labels, annotations, finalizers } = metadata;
  await api.ApplicationSetService.Create({
    applicationset: {
      metadata: {
        name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        ...(labels && { labels }),
        annotations: { ...annotations, [annotation]: value },
        ...(finalizers && { finalizers }),
      },
      spec,
    },
    upsert: true,
  });
}
