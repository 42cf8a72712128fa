import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec, type ApplicationPatchRequest, type JsonObject } from '../../../contract/index.ts';
import type { Application, ApplicationSpec } from '../../../model/index.ts';
import { applyJsonPatch, applyMergePatch, parseJsonPatch, type JsonValue } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationObject, findApplication, requireProject, type ApplicationName } from './find-application.ts';
import { recordApplicationEvent } from './record-event.ts';
import { replaceApplication, type ApplicationContent } from './replace.ts';
import { storedSpec } from './stored-spec.ts';
import { validateApplication } from './validate.ts';

const codec = messageCodec('argoproj.v1alpha1.Application');

interface Change {
  readonly validate: boolean;
  readonly contentFor: (current: Application) => ApplicationContent;
}

/** Replaces the spec, labels, annotations and finalizers of an application. */
export async function updateApplication(
  context: ApplicationServiceOptions,
  { application, validate = true, project = '' }: { application: Application; validate?: boolean; project?: string },
  call: Call,
): Promise<Application> {
  const given = application as Application | undefined;
  if (given?.metadata === undefined) throw new ApiError(Code.InvalidArgument, 'error updating application: application is nil in request');
  const { metadata, spec } = given;
  const { name = '', namespace: appNamespace = '', labels, annotations, finalizers } = metadata;
  const content = {
    spec: storedSpec(spec),
    labels,
    annotations,
    finalizers,
  };
  return change(context, { name, appNamespace, project }, { validate, contentFor: () => content }, call);
}

/** Replaces only the spec, and gives it as it is kept. */
export async function updateApplicationSpec(
  context: ApplicationServiceOptions,
  request: ApplicationName & { readonly spec: ApplicationSpec; readonly validate?: boolean },
  call: Call,
): Promise<ApplicationSpec> {
  const given = request.spec as ApplicationSpec | undefined;
  if (given === undefined) throw new ApiError(Code.InvalidArgument, 'error updating application spec: spec is nil in request');
  const spec = storedSpec(given);
  const contentFor = ({ metadata }: Application): ApplicationContent => ({ ...pickContent(metadata), spec });
  const stored = await change(context, request, { validate: request.validate ?? true, contentFor }, call);
  return stored.spec;
}

/** Patches an application; of the result only spec, labels, annotations and finalizers are kept. */
export async function patchApplication(
  context: ApplicationServiceOptions,
  request: ApplicationPatchRequest,
  call: Call,
): Promise<Application> {
  await findApplication(context, call, { ...request, action: 'get' });
  const apply = readPatch(request);
  const contentFor = (current: Application): ApplicationContent => {
    const { metadata, spec } = apply(current);
    return { ...pickContent(metadata), spec: storedSpec(spec) };
  };
  return change(context, request, { validate: true, contentFor }, call);
}

async function change(
  context: ApplicationServiceOptions,
  name: ApplicationName,
  { validate, contentFor }: Change,
  call: Call,
): Promise<Application> {
  const { application } = await findApplication(context, call, { ...name, action: 'update' });
  const stored = await replaceApplication(
    context,
    application,
    async (current) => {
      const content = contentFor(current);
      const next = { ...current, spec: content.spec, metadata: { ...current.metadata, annotations: { ...content.annotations } } };
      requireMove(context, current, next, call);
      const project = requireProject(context, next);
      await validateApplication(context, next, { project, repositories: validate, signal: call.signal });
      return content;
    },
    call.signal,
  );
  await recordApplicationEvent(context, call, stored, { reason: 'ResourceUpdated', action: 'updated application spec' });
  return stored;
}

/** Who moves an application to another project must be allowed to take it from the one and to put it into the other. */
function requireMove(context: ApplicationServiceOptions, current: Application, next: Application, call: Call): void {
  const [from, to] = [current.spec.project || 'default', next.spec.project];
  if (from === to) return;
  const objectIn = (project: string): string => applicationObject(context, project, current.metadata);
  requireAllowed(context.policy, call, { resource: 'applications', action: 'create', object: objectIn(to) });
  requireAllowed(context.policy, call, { resource: 'applications', action: 'update', object: objectIn(from) });
}

function pickContent({ labels, annotations, finalizers }: Application['metadata']): Omit<ApplicationContent, 'spec'> {
  return { labels, annotations, finalizers };
}

function readPatch({ patch, patchType }: ApplicationPatchRequest): (current: Application) => Application {
  const kind = patchType || 'json';
  // A strategic patch of a custom resource is a merge patch: its schema names no merge keys.
  if (kind !== 'json' && kind !== 'merge' && kind !== 'strategic')
    throw new ApiError(Code.InvalidArgument, `Patch type '${patchType}' is not supported`);
  return (current) => {
    try {
      const document = codec.toJson(current as unknown as JsonObject);
      const body = JSON.parse(patch) as JsonValue;
      const result = kind === 'json' ? applyJsonPatch(document, parseJsonPatch(body)) : applyMergePatch(document, body);
      return codec.fromJson(result) as unknown as Application;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ApiError(Code.InvalidArgument, `error patching application: ${why}`, { cause: error });
    }
  };
}
