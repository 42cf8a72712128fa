import type { Cluster } from '../../clusters/index.ts';
import {
  findGlobalProjects,
  findProjectProblems,
  findSpecProblems,
  permitsApplicationNamespace,
  readProject,
  withGlobalProjects,
  type Application,
  type ApplicationCondition,
  type AppProject,
} from '../../model/index.ts';
import type { ControllerContext } from './controller-context.ts';

export type Problem = Pick<ApplicationCondition, 'type' | 'message'>;

export type CheckedSpec =
  | { readonly kind: 'valid'; readonly project: AppProject; readonly cluster: Cluster }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** Whether an application could work: its project lets it, and its destination is known. */
export function checkSpec(context: ControllerContext, application: Application): CheckedSpec {
  const { spec } = application;
  const name = spec.project || 'default';
  const own = findProject(context, name);
  if (own === undefined) return invalid('InvalidSpecError', `Application referencing project ${name} which does not exist`);
  const refusal = describeRefusedNamespace(context, application, own);
  if (refusal !== undefined) return invalid('UnknownError', refusal);
  const project = withInherited(context, own);
  const problems: Problem[] = [...findSpecProblems(application)];
  const cluster = resolveCluster(context, application);
  if (typeof cluster === 'string') return { kind: 'invalid', problems: [...problems, { type: 'InvalidSpecError', message: cluster }] };
  if (problems.length === 0) problems.push(...findProjectProblems(application, project, cluster, context.surroundingsOf(name)));
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', project, cluster };
}

/** Why a project is not for applications of the namespace that one is in; undefined where it is. */
export function describeRefusedNamespace(
  { namespace: control }: ControllerContext,
  { metadata }: Application,
  project: AppProject,
): string | undefined {
  const namespace = metadata.namespace ?? control;
  if (permitsApplicationNamespace(project, namespace, control)) return undefined;
  const what = `application '${metadata.name ?? ''}' in namespace '${namespace}'`;
  return `${what} is not permitted to use project '${project.metadata.name ?? ''}'`;
}

/** A project with what it has from others. */
export function withInherited(context: ControllerContext, project: AppProject): AppProject {
  const { globalProjects } = context.settings.current.general;
  return withGlobalProjects(
    project,
    findGlobalProjects(project, globalProjects, (other) => findProject(context, other)),
  );
}

export function findProject({ projects, namespace }: ControllerContext, name: string): AppProject | undefined {
  const object = projects.get({ namespace, name });
  return object && readProject(object);
}

/** The cluster, or in words why there is none. */
export function resolveCluster({ clusters }: ControllerContext, { spec }: Application): Cluster | string {
  try {
    return clusters.resolve(spec.destination);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function invalid(type: string, message: string): CheckedSpec {
  return { kind: 'invalid', problems: [{ type, message }] };
}
