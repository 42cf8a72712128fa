import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationResourceEventsQuery, EventList } from '../../../contract/index.ts';
import type { KubeApi, ResourceType } from '../../../kube/index.ts';
import type { Call } from '../../call.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

const eventType: ResourceType = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

export interface InvolvedObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The Kubernetes events of an application, or of one of its resources. */
export async function listApplicationEvents(
  context: ApplicationServiceOptions,
  query: ApplicationResourceEventsQuery,
  call: Call,
): Promise<EventList> {
  const { application } = await findApplication(context, call, { ...query, action: 'get' });
  const { resourceName = '', resourceNamespace = '', resourceUID = '' } = query;
  const { metadata, spec } = application;
  if (resourceName === '' && resourceUID === '') {
    const involved = { namespace: metadata.namespace ?? '', name: metadata.name ?? '', uid: metadata.uid ?? '' };
    return listEvents(context.home, involved, call.signal);
  }
  const { nodes = [], orphanedNodes = [] } = await context.inspector.tree(application, { signal: call.signal });
  const node = [...nodes, ...orphanedNodes].find(
    (one) => one.uid === resourceUID && one.name === resourceName && (one.namespace ?? '') === resourceNamespace,
  );
  if (node === undefined)
    throw new ApiError(Code.InvalidArgument, `${resourceName} not found as part of application ${metadata.name ?? ''}`);
  const { api } = context.clusters.resolve(spec.destination);
  return listEvents(api, { namespace: resourceNamespace, name: resourceName, uid: resourceUID }, call.signal);
}

/** Events of what has no namespace are kept in `default`. */
export async function listEvents(api: KubeApi, { namespace, name, uid }: InvolvedObject, signal: AbortSignal): Promise<EventList> {
  const parts = [`involvedObject.name=${name}`, `involvedObject.uid=${uid}`, `involvedObject.namespace=${namespace}`];
  const fieldSelector = parts.filter((part) => !part.endsWith('=')).join(',');
  const list = await withHomeErrors(() => api.list(eventType, { namespace: namespace || 'default', fieldSelector, signal }));
  return { metadata: { resourceVersion: list.metadata.resourceVersion }, items: list.items as unknown as EventList['items'] };
}
