import type { Application } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

const COMPONENT = 'argocd-server';

/**
 * Tells that a user did something to an application: `action` follows their name. Awaited before the answer, so that whoever is told that
 * something was done can also find who did it.
 */
export function recordApplicationEvent(
  { events }: ApplicationServiceOptions,
  call: Call,
  { metadata, spec }: Application,
  { reason, action }: { readonly reason: string; readonly action: string },
): Promise<void> {
  const { server = '', name = '', namespace = '' } = spec.destination;
  const user = actorOf(call);
  return events.record({
    about: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      name: metadata.name ?? '',
      ...(metadata.namespace && { namespace: metadata.namespace }),
      ...(metadata.uid && { uid: metadata.uid }),
      ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
      ...(metadata.labels && { labels: metadata.labels }),
    },
    reason,
    message: `${user} ${action}`,
    component: COMPONENT,
    annotations: { user, 'dest-server': server || name, 'dest-namespace': namespace },
  });
}

/** Who did something, as events name them. */
function actorOf({ caller }: Call): string {
  return caller?.username || 'Unknown user';
}
