import { ApiError, Code } from '../../../base/index.ts';
import type {
  ApplicationResourceDeleteRequest,
  ApplicationResourcePatchRequest,
  ApplicationResourceResponse,
} from '../../../contract/index.ts';
import { maskSecret } from '../../../engine/index.ts';
import type { Patch } from '../../../kube/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, requireAllowed } from '../authorise.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { actingApi } from './acting-api.ts';
import { applicationObject } from './find-application.ts';
import { findLiveResource, type LiveResource } from './live-resource.ts';
import { recordApplicationEvent } from './record-event.ts';

/** Patches a live resource; what a Secret holds is neither shown nor told in a refusal. */
export async function patchResource(
  context: ApplicationServiceOptions,
  request: ApplicationResourcePatchRequest,
  call: Call,
): Promise<ApplicationResourceResponse> {
  const found = await findLiveResource(context, request, call);
  requireResource(context, call, found, 'update');
  const patch = readPatch(request.patch, request.patchType);
  const { type } = found;
  const api = actingApi(context, found.application, found.cluster);
  try {
    const object = await withHomeErrors(() => api.patch(type, refOf(found), patch, { fieldManager: 'argocd-server', signal: call.signal }));
    await recordChange(context, call, found, 'patched');
    return { manifest: JSON.stringify(maskSecret(object, context.settings.current.general.sensitiveAnnotations)) };
  } catch (error) {
    if (type.kind !== 'Secret' || type.group !== '') throw error;
    const { namespace = '', name = '' } = found.node;
    throw new ApiError(error instanceof ApiError ? error.code : Code.Internal, `failed to patch Secret ${namespace}/${name}`);
  }
}

/** Deletes a live resource. */
export async function deleteResource(
  context: ApplicationServiceOptions,
  request: ApplicationResourceDeleteRequest,
  call: Call,
): Promise<Record<string, never>> {
  const found = await findLiveResource(context, request, call);
  requireResource(context, call, found, 'delete');
  const { force = false, orphan = false } = request;
  const propagation = orphan ? 'Orphan' : force ? 'Background' : 'Foreground';
  const { type, node } = found;
  const options = {
    propagation,
    ...(force && !orphan && { gracePeriodSeconds: 0 }),
    ...(node.uid && { preconditions: { uid: node.uid } }),
  } as const;
  const api = actingApi(context, found.application, found.cluster);
  await withHomeErrors(() => api.delete(type, refOf(found), { ...options, signal: call.signal }));
  await recordChange(context, call, found, 'deleted');
  return {};
}

/** Whoever may do a thing to one resource of an application need not be allowed to do it to the application; and, unless settings say so, not the other way round. */
function requireResource(
  context: ApplicationServiceOptions,
  call: Call,
  { application, node }: LiveResource,
  verb: 'update' | 'delete',
): void {
  const object = applicationObject(context, application.spec.project || 'default', application.metadata);
  const { group = '', kind = '', namespace = '', name = '' } = node;
  const deed = { resource: 'applications', action: `${verb}/${group}/${kind}/${namespace}/${name}`, object };
  const inherits = !context.settings.current.general.fineGrainedInheritanceDisabled;
  if (inherits && mayDo(context.policy, call, { ...deed, action: verb })) return;
  requireAllowed(context.policy, call, deed);
}

function recordChange(context: ApplicationServiceOptions, call: Call, found: LiveResource, verb: 'patched' | 'deleted'): Promise<void> {
  const { group = '', kind = '', name = '' } = found.node;
  return recordApplicationEvent(context, call, found.application, {
    reason: verb === 'patched' ? 'ResourceUpdated' : 'ResourceDeleted',
    action: `${verb} resource ${group}/${kind} '${name}'`,
  });
}

function readPatch(text: string, patchType: string): Patch {
  const body = parse(text);
  switch (patchType) {
    case 'application/json-patch+json':
      if (Array.isArray(body)) return { type: 'json', operations: body as readonly JsonValue[] };
      throw new ApiError(Code.InvalidArgument, 'a JSON patch is a list of operations');
    case 'application/strategic-merge-patch+json':
      return { type: 'strategic', body: requireObject(body) };
    case 'application/merge-patch+json':
    case '':
      return { type: 'merge', body: requireObject(body) };
    default:
      throw new ApiError(Code.InvalidArgument, `Patch type '${patchType}' is not supported`);
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ApiError(Code.InvalidArgument, 'the patch is no JSON');
  }
}

function requireObject(body: JsonValue): JsonObject {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject;
  throw new ApiError(Code.InvalidArgument, 'the patch is no object');
}

function refOf({ node }: LiveResource): { readonly namespace?: string; readonly name: string } {
  return { name: node.name ?? '', ...(node.namespace && { namespace: node.namespace }) };
}
