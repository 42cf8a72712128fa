import type { Cluster, LiveRow, TreeRow } from '../../clusters/index.ts';
import { formatKey, isOrphan } from '../../engine/index.ts';
import { applicationInstanceName, parseInstanceName, permitsLiveResource, type Application, type AppProject } from '../../model/index.ts';
import type { ControllerContext } from './controller-context.ts';

interface OrphansInput {
  readonly project: AppProject;
  readonly cluster: Cluster;
  /** What the application has or wants, as texts of keys. */
  readonly known: ReadonlySet<string>;
}

/**
 * The objects in the namespace of an application that belong to no application, with what is below them, parents first; none where the
 * project does not ask for them.
 */
export function findOrphans(
  context: ControllerContext,
  application: Application,
  { project, cluster, known }: OrphansInput,
): readonly TreeRow[] {
  const { orphanedResources } = project.spec;
  const namespace = application.spec.destination.namespace ?? '';
  if (orphanedResources === undefined || namespace === '') return [];
  const own = applicationInstanceName(application, context.namespace);
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  const isElsewhere = ({ instance }: LiveRow): boolean =>
    instance !== '' && (instance === own || context.applications.get(parseInstanceName(instance, context.namespace)) !== undefined);
  const roots = [...cluster.cache.topLevel(namespace)].flatMap((row) => {
    const key = { group: row.type.group, kind: row.type.kind, namespace: row.namespace, name: row.name };
    const isCandidate = !known.has(formatKey(key)) && !isElsewhere(row) && isOrphan(key, orphanedResources.ignore ?? []);
    return isCandidate && permitsLiveResource(project, key, cluster, surroundings) ? [key] : [];
  });
  // What is below an orphan may still be an application's own.
  return cluster.cache.tree(roots).filter(({ row }) => !isElsewhere(row));
}

/** What is said of orphans where the project wants to be warned. */
export function describeOrphans({ spec }: AppProject, orphans: readonly TreeRow[]): { type: string; message: string }[] {
  if (spec.orphanedResources?.warn !== true || orphans.length === 0) return [];
  return [{ type: 'OrphanedResourceWarning', message: `Application has ${orphans.length} orphaned resources` }];
}
