import { ApiError, Code } from '../../../base/index.ts';
import type { Cluster } from '../../../clusters/index.ts';
import type {
  ApplicationResourceRequest,
  ApplicationResponse,
  ResourceActionRunRequestV2,
  ResourceActionsListResponse,
} from '../../../contract/index.ts';
import { ActionError, isSecret, listActions, runAction, type ActionResult } from '../../../engine/index.ts';
import type { KubeApi, ResourceType } from '../../../kube/index.ts';
import { applicationType, permitsLiveResource, type Application } from '../../../model/index.ts';
import {
  createMergePatch,
  isJsonObject,
  isStatusError,
  parseApiVersion,
  withValueAt,
  type JsonObject,
  type KubeObject,
} from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import { actingApi } from './acting-api.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication, requireProject } from './find-application.ts';
import { findLiveResource } from './live-resource.ts';
import { recordApplicationEvent, recordResourceEvent } from './record-event.ts';

const FIELD_MANAGER = 'argocd-server';

/** A resource that can be acted on, and where. */
interface Actionable {
  readonly application: Application;
  readonly cluster: Cluster;
  readonly api: KubeApi;
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** The resource is the application itself. */
  readonly isApplication: boolean;
}

/** The actions that a resource offers as it is now. */
export async function listResourceActions(
  context: ApplicationServiceOptions,
  request: ApplicationResourceRequest,
  call: Call,
): Promise<ResourceActionsListResponse> {
  const { object } = await findActionable(context, request, call, 'get');
  const actions = withActionErrors(() => listActions(object, context.settings.current.resourceOverrides, () => context.clock.nowMs()));
  return { actions: actions.map(({ params = [], ...action }) => ({ ...action, ...(params.length > 0 && { params: [...params] }) })) };
}

/** Runs an action of a resource: first everything that it wants to be done is checked, and then it is done. */
export async function runResourceAction(
  context: ApplicationServiceOptions,
  request: ResourceActionRunRequestV2,
  call: Call,
): Promise<ApplicationResponse> {
  const { action, group = '', kind, resourceName } = request;
  const found = await findActionable(context, request, call, `action/${group}/${kind}/${action}`);
  const parameters = new Map((request.resourceActionParameters ?? []).map(({ name, value }) => [name, value]));
  const { resourceOverrides } = context.settings.current;
  const results = withActionErrors(() =>
    runAction(found.object, { name: action, parameters }, resourceOverrides, () => context.clock.nowMs()),
  );
  const planned = results.map((result) => planResult(context, found, result));
  for (const { result, type } of planned) {
    if (result.operation === 'create') await create(found, type, result.resource, { dryRun: true, signal: call.signal });
  }
  for (const { result, type } of planned) {
    if (result.operation === 'create') await create(found, type, result.resource, { dryRun: false, signal: call.signal });
    else await patch(found, result.resource, call.signal);
  }
  const on = found.isApplication ? '' : ` on resource ${group}/${kind}/${resourceName}`;
  await recordApplicationEvent(context, call, found.application, { reason: 'ResourceActionRan', action: `ran action ${action}${on}` });
  if (!found.isApplication)
    await recordResourceEvent(context, call, found.object, { reason: 'ResourceActionRan', action: `ran action ${action}` });
  return {};
}

/** The resource that a request names, whole. An application can also be acted on itself. */
async function findActionable(
  context: ApplicationServiceOptions,
  request: ApplicationResourceRequest,
  call: Call,
  permission: string,
): Promise<Actionable> {
  const { group = '', kind, name, resourceName } = request;
  if (kind === applicationType.kind && group === applicationType.group && name === resourceName) {
    const { application } = await findApplication(context, call, { ...request, action: permission });
    const cluster = context.clusters.resolve(application.spec.destination);
    const ref = { namespace: application.metadata.namespace ?? context.namespace, name };
    const object = await withHomeErrors(() => context.home.get(applicationType, ref, { signal: call.signal }));
    return { application, cluster, api: context.home, type: applicationType, object, isApplication: true };
  }
  const { application, cluster, node, type } = await findLiveResource(context, request, call, permission);
  const api = actingApi(context, application, cluster);
  const ref = { name: node.name ?? '', ...(node.namespace && { namespace: node.namespace }) };
  const object = await withHomeErrors(() => api.get(type, ref, { signal: call.signal }));
  return { application, cluster, api, type, object, isApplication: false };
}

function withActionErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ActionError ? new ApiError(Code.InvalidArgument, error.message) : error;
  }
}

/** Refuses what the project does not let the application have, and what an action may not do. */
function planResult(
  context: ApplicationServiceOptions,
  found: Actionable,
  { operation, resource }: ActionResult,
): { readonly result: ActionResult; readonly type: ResourceType } {
  const { group = '', version = '' } = parseApiVersion(resource.apiVersion) ?? {};
  const { kind } = resource;
  const isSame = operation === 'patch';
  if (isSame && !isSameResource(found.object, resource))
    throw new ApiError(Code.InvalidArgument, 'an action can patch only the resource that it is run on');
  const { cache } = found.cluster;
  const type = isSame ? found.type : (cache.typeOf({ group, kind, version }) ?? cache.typeOf({ group, kind }));
  if (type === undefined) throw new ApiError(Code.InvalidArgument, `the cluster does not serve ${kind} of group "${group}"`);
  const placed = isSame ? resource : place(resource, type, found.object);
  const { name = '', namespace = '' } = placed.metadata;
  const project = requireProject(context, found.application);
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  if (!permitsLiveResource(project, { group, kind, namespace, name }, found.cluster, surroundings))
    throw new ApiError(Code.PermissionDenied, `application is not permitted to manage ${group}/${kind}/${name} in ${namespace}`);
  return { result: { operation, resource: placed }, type };
}

/** What has no namespace has none, whatever the action says; what needs one gets that of the resource. */
function place(resource: KubeObject, { namespaced }: ResourceType, { metadata }: KubeObject): KubeObject {
  const { namespace, ...others } = resource.metadata;
  const own = namespace || metadata.namespace;
  return { ...resource, metadata: { ...others, ...(namespaced && own && { namespace: own }) } };
}

function isSameResource(live: KubeObject, changed: KubeObject): boolean {
  const [before, after] = [live.metadata, changed.metadata];
  return (
    live.kind === changed.kind &&
    live.apiVersion === changed.apiVersion &&
    before.name === after.name &&
    (before.namespace ?? '') === (after.namespace ?? '') &&
    (before.uid ?? '') === (after.uid ?? '')
  );
}

async function create(
  { api }: Actionable,
  type: ResourceType,
  resource: KubeObject,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<void> {
  await withSecretErrors(resource, 'create', () => api.create(type, resource, { fieldManager: FIELD_MANAGER, dryRun, signal }));
}

/** Sends what changed. A status goes its own way where the kind has one: there it is all that counts, and elsewhere it is ignored. */
async function patch(found: Actionable, changed: KubeObject, signal: AbortSignal): Promise<void> {
  await withSecretErrors(found.object, 'patch', () => sendPatch(found, changed, signal));
}

/** A refusal may repeat what it refuses, which of a Secret is nobody's business. */
async function withSecretErrors(resource: KubeObject, verb: 'create' | 'patch', work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = fromHomeError(error);
    if (!isSecret(resource)) throw known;
    const { namespace = '', name = '' } = resource.metadata;
    throw new ApiError(known instanceof ApiError ? known.code : Code.Internal, `failed to ${verb} Secret ${namespace}/${name}`);
  }
}

async function sendPatch({ api, type, object }: Actionable, changed: KubeObject, signal: AbortSignal): Promise<void> {
  const body = createMergePatch(object as unknown as JsonObject, changed as unknown as JsonObject);
  if (!isJsonObject(body) || Object.keys(body).length === 0) return;
  const { name = '', namespace } = object.metadata;
  const ref = { name, ...(namespace && { namespace }) };
  const options = { fieldManager: FIELD_MANAGER, signal };
  let rest: JsonObject = body;
  if (body['status'] !== undefined) {
    try {
      await api.patch(type, ref, { type: 'merge', body }, { ...options, subresource: 'status' });
      rest = withValueAt(body, ['status'], undefined);
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }
  if (Object.keys(rest).length > 0) await api.patch(type, ref, { type: 'merge', body: rest }, options);
}
