import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec, type JsonObject, type ProjectCreateRequest } from '../../../contract/index.ts';
import { appProjectType, projectToObject, readApplication, readProject, validateProject, type AppProject } from '../../../model/index.ts';
import { canonicalJson, isStatusError, type JsonValue } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { fromHomeError, withHomeErrors } from '../home-errors.ts';
import { checkApplications, requireParts } from './check-change.ts';
import { toStoredForm } from '../stored-form.ts';
import type { ProjectServiceOptions } from './project-context.ts';

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
  validateProject(project);
  refuseWindowChange(undefined, project);
  const { labels, annotations, finalizers } = project.metadata;
  const metadata = {
    name,
    namespace: context.namespace,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
  };
  try {
    const made = await context.home.create(appProjectType, projectToObject({ metadata, spec: project.spec }), { signal: call.signal });
    context.projects.noticeWrite(made);
    return readProject(made);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw fromHomeError(error);
  }
  const existing = await read(context, name, call.signal);
  const different = differingKeys(existing.spec, project.spec);
  if (different.length === 0) return existing;
  if (!upsert) {
    const keys = different.join(',');
    throw new ApiError(
      Code.InvalidArgument,
      `existing project spec is different; use upsert flag to force update; difference in keys "${keys}"`,
    );
  }
  requireAllowed(context.policy, call, { resource: 'projects', action: 'update', object: name });
  return store(context, existing, { ...existing, spec: project.spec }, call.signal);
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
  const existing = await read(context, name, call.signal);
  refuseWindowChange(existing, project);
  requireParts(context, call, existing, project);
  checkApplications(context, existing, project);
  const { labels, annotations, finalizers, resourceVersion = existing.metadata.resourceVersion } = project.metadata;
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...kept } = existing.metadata;
  const metadata = {
    ...kept,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(resourceVersion && { resourceVersion }),
  };
  return store(context, existing, { ...existing, metadata, spec: project.spec }, call.signal);
}

/** Deletes a project that no application uses. */
export async function deleteProject(context: ProjectServiceOptions, name: string, call: Call): Promise<Record<string, never>> {
  requireAllowed(context.policy, call, { resource: 'projects', action: 'delete', object: name });
  if (name === 'default') throw new ApiError(Code.InvalidArgument, `name '${name}' is reserved and cannot be deleted`);
  await read(context, name, call.signal);
  const users = [...context.applications.values()]
    .map(readApplication)
    .filter(({ metadata, spec }) => metadata.namespace === context.namespace && (spec.project || 'default') === name);
  if (users.length > 0) throw new ApiError(Code.InvalidArgument, `project is referenced by ${users.length} applications`);
  await withHomeErrors(() => context.home.delete(appProjectType, { namespace: context.namespace, name }, { signal: call.signal }));
  return {};
}

function requireGiven(project: AppProject | undefined): AppProject {
  if (project?.metadata === undefined) throw new ApiError(Code.InvalidArgument, 'missing payload in request');
  const spec = (project.spec as AppProject['spec'] | undefined) ?? {};
  return { ...project, spec: toStoredForm('argoproj.v1alpha1.AppProjectSpec', spec) };
}

async function read({ home, namespace }: ProjectServiceOptions, name: string, signal: AbortSignal): Promise<AppProject> {
  return readProject(await withHomeErrors(() => home.get(appProjectType, { namespace, name }, { signal })));
}

async function store(
  { home, projects }: ProjectServiceOptions,
  existing: AppProject,
  project: AppProject,
  signal: AbortSignal,
): Promise<AppProject> {
  // What the project remembers of issued tokens is not the caller's to write.
  const { status, ...rest } = project;
  const next = existing.status === undefined ? rest : { ...rest, status: existing.status };
  const stored = await withHomeErrors(() => home.update(appProjectType, projectToObject(next), { signal }));
  projects.noticeWrite(stored);
  return readProject(stored);
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

/** A window that is kept and not obeyed would deceive whoever set it. */
function refuseWindowChange(existing: AppProject | undefined, { spec }: AppProject): void {
  const text = (project: AppProject['spec'] | undefined): string => JSON.stringify(project?.syncWindows ?? []);
  if (text(existing?.spec) === text(spec)) return;
  throw new ApiError(Code.Unimplemented, 'sync windows are not implemented yet');
}
