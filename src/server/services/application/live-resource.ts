import { ApiError, Code } from '../../../base/index.ts';
import type { Cluster } from '../../../clusters/index.ts';
import type { ApplicationResourceRequest, ApplicationResourceResponse } from '../../../contract/index.ts';
import { maskSecret } from '../../../engine/index.ts';
import type { ResourceType } from '../../../kube/index.ts';
import type { Application, ResourceNode } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

export interface LiveResource {
  readonly application: Application;
  readonly cluster: Cluster;
  readonly node: ResourceNode;
  readonly type: ResourceType;
}

/** A live resource as JSON text, with the values of Secrets masked. */
export async function getResource(
  context: ApplicationServiceOptions,
  request: ApplicationResourceRequest,
  call: Call,
): Promise<ApplicationResourceResponse> {
  const found = await findLiveResource(context, request, call);
  return { manifest: JSON.stringify(await readResource(context, found, call.signal)) };
}

/** A live resource as it may be shown: with the values of a Secret masked. */
export async function readResource(
  context: ApplicationServiceOptions,
  { cluster, node, type }: LiveResource,
  signal: AbortSignal,
): Promise<KubeObject> {
  const ref = { name: node.name ?? '', ...(node.namespace && { namespace: node.namespace }) };
  const object = await withHomeErrors(() => cluster.api.get(type, ref, { signal }));
  return maskSecret(object, context.settings.current.general.sensitiveAnnotations);
}

/**
 * The resource that a request names, if it is part of the application: only what is in its tree can be reached through it. What the caller
 * needs to be allowed to do to the application is `get`, unless given.
 */
export async function findLiveResource(
  context: ApplicationServiceOptions,
  request: ApplicationResourceRequest,
  call: Call,
  action = 'get',
): Promise<LiveResource> {
  const { application } = await findApplication(context, call, { ...request, action });
  const { nodes = [], orphanedNodes = [] } = await context.inspector.tree(application, { signal: call.signal });
  const { group = '', kind, resourceName, namespace = '', version } = request;
  const node = [...nodes, ...orphanedNodes].find(
    (one) =>
      one.uid && (one.group ?? '') === group && one.kind === kind && one.name === resourceName && (one.namespace ?? '') === namespace,
  );
  if (node === undefined) {
    const name = application.metadata.name ?? '';
    throw new ApiError(Code.InvalidArgument, `${kind} ${group} ${resourceName} not found as part of application ${name}`);
  }
  const cluster = context.clusters.resolve(application.spec.destination);
  const type = cluster.cache.typeOf({ group, kind, ...(version && { version }) }) ?? cluster.cache.typeOf({ group, kind });
  if (type === undefined) throw new ApiError(Code.NotFound, `the cluster does not serve ${kind} of group "${group}"`);
  return { application, cluster, node, type };
}
