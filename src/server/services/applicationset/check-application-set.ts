import { ApiError, Code } from '../../../base/index.ts';
import { findUnknownGenerators, type ApplicationSet } from '../../../model/index.ts';
import { validatePathSegment } from '../../../objects/index.ts';
import type { Asker } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { applicationSetObject, type ApplicationSetServiceOptions } from './application-set-context.ts';

/** Throws ApiError where an application set is not one that this API takes. */
export function validateApplicationSet(set: ApplicationSet): void {
  const { name = '' } = set.metadata;
  // Policies name a set with slashes between its parts: one in its name would be read as the end of a namespace, also where nothing is stored.
  const [misnamed] = validatePathSegment(name);
  if (misnamed !== undefined)
    throw new ApiError(Code.InvalidArgument, `error validating ApplicationSets: the name ${JSON.stringify(name)} ${misnamed}`);
  const problem = projectsOf(set).some((project) => project.includes('{{'))
    ? 'the Argo CD API does not currently support creating ApplicationSets with templated `project` fields'
    : findUnknownGenerators(set);
  if (problem !== undefined) throw new ApiError(Code.InvalidArgument, `error validating ApplicationSets: ${problem}`);
}

/**
 * Throws ApiError unless the caller may do this in every project that applications of the set would be in: a generator may bring a
 * template, and with it a project, of its own.
 */
export function requireProjects(
  context: ApplicationSetServiceOptions,
  call: Asker,
  set: ApplicationSet,
  action: 'create' | 'update',
): void {
  for (const project of new Set(projectsOf(set).map((name) => name || 'default'))) {
    const object = applicationSetObject(context, project, set.metadata);
    requireAllowed(context.policy, call, { resource: 'applicationsets', action, object });
    if (context.projects.get({ namespace: context.namespace, name: project }) === undefined)
      throw new ApiError(Code.InvalidArgument, `ApplicationSet references project ${project} which does not exist`);
  }
}

/** That of the template, and those that generators bring; empty is the default project. */
function projectsOf({ spec }: ApplicationSet): readonly string[] {
  const overrides = spec.generators.flatMap((entry) =>
    Object.values(entry as Record<string, { readonly template?: { readonly spec?: { readonly project?: string } } }>).flatMap(
      (block) => block.template?.spec?.project || [],
    ),
  );
  return [spec.template.spec.project, ...overrides];
}
