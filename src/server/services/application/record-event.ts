import type { Application } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
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

/** As recordApplicationEvent, about an object in the application's cluster. Its event is kept in the namespace of the control plane. */
export function recordResourceEvent(
  { events, namespace: control }: ApplicationServiceOptions,
  call: Call,
  { apiVersion, kind, metadata }: KubeObject,
  { reason, action }: { readonly reason: string; readonly action: string },
): Promise<void> {
  const user = actorOf(call);
  return events.record({
    about: {
      apiVersion,
      kind,
      name: metadata.name ?? '',
      namespace: control,
      ...(metadata.uid && { uid: metadata.uid }),
      ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
      ...(metadata.labels && { labels: metadata.labels }),
    },
    reason,
    message: `${user} ${action}`,
    component: COMPONENT,
    annotations: { user, 'resource-namespace': metadata.namespace ?? '' },
  });
}

/** Who did something, as events name them. */
function actorOf({ caller }: Call): string {
  return caller?.username || 'Unknown user';
}
