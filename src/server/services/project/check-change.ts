import { ApiError, Code } from '../../../base/index.ts';
import { permitsDestination, permitsSource, readApplication, sourcesOf, type Application, type AppProject } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { effectiveProject, type ProjectServiceOptions } from './project-context.ts';

const kindLists = [
  'clusterResourceWhitelist',
  'clusterResourceBlacklist',
  'namespaceResourceWhitelist',
  'namespaceResourceBlacklist',
] as const;

/** Whoever lets a project have a cluster or repository, or takes it away, must be allowed to change that too. */
export function requireParts({ policy }: ProjectServiceOptions, call: Call, before: AppProject, after: AppProject): void {
  const servers = (project: AppProject): string[] => (project.spec.destinations ?? []).map(({ server, name }) => server || name || '');
  for (const object of difference(servers(before), servers(after)))
    requireAllowed(policy, call, { resource: 'clusters', action: 'update', object });
  for (const object of difference(before.spec.sourceRepos ?? [], after.spec.sourceRepos ?? []))
    requireAllowed(policy, call, { resource: 'repositories', action: 'update', object });
  const text = (project: AppProject): string => JSON.stringify(kindLists.map((name) => project.spec[name] ?? null));
  if (text(before) === text(after)) return;
  for (const object of servers(after)) requireAllowed(policy, call, { resource: 'clusters', action: 'update', object });
}

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...new Set([...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))])];
}

/** Applications that were allowed must still be. */
export function checkApplications(context: ProjectServiceOptions, before: AppProject, after: AppProject): void {
  const [old, next] = [effectiveProject(context, before), effectiveProject(context, after)];
  let sources = 0;
  let destinations = 0;
  for (const object of context.applications.values()) {
    const application = readApplication(object);
    if (application.metadata.namespace !== context.namespace || (application.spec.project || 'default') !== before.metadata.name) continue;
    if (allowsSources(context, old, application) && !allowsSources(context, next, application)) sources += 1;
    else if (allowsDestination(context, old, application) && !allowsDestination(context, next, application)) destinations += 1;
  }
  const parts = [
    ...(sources > 0 ? [`${sources} applications source became invalid`] : []),
    ...(destinations > 0 ? [`${destinations} applications destination became invalid`] : []),
  ];
  if (parts.length > 0) throw new ApiError(Code.InvalidArgument, `as a result of project update ${parts.join(' and ')}`);
}

function allowsSources({ surroundingsOf }: ProjectServiceOptions, project: AppProject, application: Application): boolean {
  const surroundings = surroundingsOf(project.metadata.name ?? '');
  return sourcesOf(application).every((source) => permitsSource(project, source, surroundings));
}

function allowsDestination(context: ProjectServiceOptions, project: AppProject, { spec }: Application): boolean {
  const { clusters, surroundingsOf } = context;
  try {
    const cluster = clusters.resolve(spec.destination);
    return permitsDestination(project, cluster, spec.destination.namespace ?? '', surroundingsOf(project.metadata.name ?? ''));
  } catch {
    // A destination that cannot be found is not allowed, before as after.
    return false;
  }
}
