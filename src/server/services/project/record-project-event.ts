import type { AppProject } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ProjectServiceOptions } from './project-context.ts';

/** Tells that a user did something to a project: `action` follows their name. Awaited before the answer, as for applications. */
export function recordProjectEvent(
  { events, namespace }: Pick<ProjectServiceOptions, 'events' | 'namespace'>,
  { caller }: Call,
  { metadata }: AppProject,
  { reason, action }: { readonly reason: string; readonly action: string },
): Promise<void> {
  const user = caller?.username || 'Unknown user';
  return events.record({
    about: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      name: metadata.name ?? '',
      namespace,
      ...(metadata.uid && { uid: metadata.uid }),
      ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
      ...(metadata.labels && { labels: metadata.labels }),
    },
    reason,
    message: `${user} ${action}`,
    component: 'argocd-server',
    annotations: { user },
  });
}
