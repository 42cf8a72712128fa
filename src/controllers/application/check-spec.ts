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
  const { metadata, spec } = application;
  const name = spec.project || 'default';
  const own = findProject(context, name);
  if (own === undefined) return invalid('InvalidSpecError', `Application referencing project ${name} which does not exist`);
  const namespace = metadata.namespace ?? context.namespace;
  if (!permitsApplicationNamespace(own, namespace, context.namespace)) {
    const what = `application '${metadata.name ?? ''}' in namespace '${namespace}'`;
    return invalid('UnknownError', `${what} is not permitted to use project '${name}'`);
  }
  const globals = findGlobalProjects(own, context.settings.current.general.globalProjects, (other) => findProject(context, other));
  const project = withGlobalProjects(own, globals);
  const problems: Problem[] = [...findSpecProblems(application)];
  const cluster = resolveCluster(context, application);
  if (typeof cluster === 'string') return { kind: 'invalid', problems: [...problems, { type: 'InvalidSpecError', message: cluster }] };
  if (problems.length === 0) problems.push(...findProjectProblems(application, project, cluster, context.surroundingsOf(name)));
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', project, cluster };
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
