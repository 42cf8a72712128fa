import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec, type JsonObject, type ProjectCreateRequest } from '../../../contract/index.ts';
import {
  appProjectType,
  permitsApplicationNamespace,
  projectToObject,
  readApplication,
  readProject,
  validateProject,
  withNormalizedPolicies,
  withOwnTokens,
  withTokensOf,
  type AppProject,
} from '../../../model/index.ts';
import { canonicalJson, isStatusError, type JsonValue } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireSynced } from '../application/select-applications.ts';
import { requireAllowed } from '../authorise.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import { toStoredForm } from '../stored-form.ts';
import { checkApplications, requireParts } from './check-change.ts';
import type { ProjectServiceOptions } from './project-context.ts';
import { recordProjectEvent } from './record-project-event.ts';
import { readStored, writeStored } from './store-project.ts';

const specCodec = messageCodec('argoproj.v1alpha1.AppProjectSpec');

/** Creates a project; one that exists and means the same is returned as it is. */
export async function createProject(
  context: ProjectServiceOptions,
  { project: given, upsert = false }: ProjectCreateRequest,
  call: Call,
): Promise<AppProject> {
  const project = requireGiven(given);
  const name = project.metadata.name ?? '';
  requireAllowed(context.policy, call, { resource: 'projects', action: 'create', object: name });
  validateNew(project);
  const metadata = { name, namespace: context.namespace, ...givenMetadata(project) };
  try {
    const wanted = projectToObject(withOwnTokens({ metadata, spec: project.spec }));
    const made = await context.home.create(appProjectType, wanted, { signal: call.signal });
    context.projects.noticeWrite(made);
    const created = readProject(made);
    await recordProjectEvent(context, call, created, { reason: 'ResourceCreated', action: 'created project' });
    return created;
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw fromHomeError(error);
  }
  return changeExisting(context, project, { upsert, call });
}

async function changeExisting(
  context: ProjectServiceOptions,
  project: AppProject,
  { upsert, call }: { readonly upsert: boolean; readonly call: Call },
): Promise<AppProject> {
  const name = project.metadata.name ?? '';
  // What is there is told only to those who may see it.
  requireAllowed(context.policy, call, { resource: 'projects', action: upsert ? 'update' : 'get', object: name });
  const existing = await readStored(context, name, call.signal);
  const different = differingKeys(existing.spec, project.spec);
  if (different.length === 0) return existing;
  if (!upsert) {
    const keys = different.join(',');
    throw new ApiError(
      Code.InvalidArgument,
      `existing project spec is different; use upsert flag to force update; difference in keys "${keys}"`,
    );
  }
  return replace(context, existing, { ...existing, spec: project.spec }, call);
}

/** Replaces a project's spec, labels, annotations and finalizers, if nobody changed it since the caller read it. */
export async function updateProject(
  context: ProjectServiceOptions,
  { project: given }: { readonly project?: AppProject },
  call: Call,
): Promise<AppProject> {
  const project = requireGiven(given);
  const name = project.metadata.name ?? '';
  requireAllowed(context.policy, call, { resource: 'projects', action: 'update', object: name });
  validateProject(project);
  const existing = await readStored(context, name, call.signal);
  const { resourceVersion = existing.metadata.resourceVersion } = project.metadata;
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...kept } = existing.metadata;
  const metadata = { ...kept, ...givenMetadata(project), ...(resourceVersion && { resourceVersion }) };
  return replace(context, existing, { ...existing, metadata, spec: project.spec }, call);
}

/** Deletes a project that no application uses. */
export async function deleteProject(context: ProjectServiceOptions, name: string, call: Call): Promise<Record<string, never>> {
  const { namespace } = context;
  requireAllowed(context.policy, call, { resource: 'projects', action: 'delete', object: name });
  if (name === 'default') throw new ApiError(Code.InvalidArgument, `name '${name}' is reserved and cannot be deleted`);
  const project = await readStored(context, name, call.signal);
  await requireSynced(context, call.signal);
  // One that the project does not let in does not use it, whatever it says.
  const users = [...context.applications.values()]
    .map(readApplication)
    .filter(
      ({ metadata, spec }) =>
        (spec.project || 'default') === name && permitsApplicationNamespace(project, metadata.namespace ?? '', namespace),
    );
  if (users.length > 0) throw new ApiError(Code.InvalidArgument, `project is referenced by ${users.length} applications`);
  await withHomeErrors(() => context.home.delete(appProjectType, { namespace, name }, { signal: call.signal }));
  await recordProjectEvent(context, call, project, { reason: 'ResourceDeleted', action: 'deleted project' });
  return {};
}

function requireGiven(project: AppProject | undefined): AppProject {
  if (project?.metadata === undefined) throw new ApiError(Code.InvalidArgument, 'missing payload in request');
  const spec = (project.spec as AppProject['spec'] | undefined) ?? {};
  return withNormalizedPolicies({ ...project, spec: toStoredForm('argoproj.v1alpha1.AppProjectSpec', spec) });
}

function givenMetadata({ metadata }: AppProject): Pick<AppProject['metadata'], 'labels' | 'annotations' | 'finalizers'> {
  const { labels, annotations, finalizers } = metadata;
  return { ...(labels && { labels }), ...(annotations && { annotations }), ...(finalizers && { finalizers }) };
}

function validateNew(project: AppProject): void {
  try {
    validateProject(project);
  } catch (error) {
    // Only what has no code of its own is told with where it happened.
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    throw new ApiError(Code.Unknown, `error validating project: ${error.message}`);
  }
}

/** Which tokens there are is not the caller's to write: it is changed by issuing and deleting them, and by deleting their role. */
async function replace(context: ProjectServiceOptions, existing: AppProject, wanted: AppProject, call: Call): Promise<AppProject> {
  const project = withTokensOf(wanted, existing);
  requireParts(context, call, existing, project);
  await requireSynced(context, call.signal);
  checkApplications(context, existing, project);
  const stored = await withHomeErrors(() => writeStored(context, project, call.signal));
  await recordProjectEvent(context, call, stored, { reason: 'ResourceUpdated', action: 'updated project' });
  return stored;
}

/** The names of the fields in which two specs differ, as the reference spells them. */
function differingKeys(left: AppProject['spec'], right: AppProject['spec']): readonly string[] {
  const [one, other] = [left, right].map((spec) => specCodec.toJson(spec as unknown as JsonObject)) as [JsonObject, JsonObject];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const text = (value: JsonValue | undefined): string => (value === undefined ? '' : canonicalJson(value));
  return [...names]
    .filter((name) => text(one[name]) !== text(other[name]))
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
    .toSorted();
}
