import type { AppProject } from '../../contract/index.ts';
import { matchesLabelSelector, readLabelSelector, type JsonValue } from '../../objects/index.ts';

/** A project whose rules others inherit: those with these labels. */
export interface GlobalProject {
  readonly projectName: string;
  /** As objects write it: `matchLabels` and `matchExpressions`. */
  readonly labelSelector: JsonValue;
}

/** The projects from which one inherits, of those that there are. */
export function findGlobalProjects(
  { metadata }: AppProject,
  globalProjects: readonly GlobalProject[],
  find: (name: string) => AppProject | undefined,
): readonly AppProject[] {
  return globalProjects
    .filter(
      ({ projectName, labelSelector }) =>
        projectName !== metadata.name && matchesLabelSelector(readLabelSelector(labelSelector), metadata.labels ?? {}),
    )
    .flatMap(({ projectName }) => find(projectName) ?? []);
}

/** A project with what it inherits: the lists of the others are appended to its own. */
export function withGlobalProjects(project: AppProject, globals: readonly AppProject[]): AppProject {
  if (globals.length === 0) return project;
  const spec = { ...project.spec };
  for (const { spec: other } of globals) {
    append(spec, other, 'namespaceResourceWhitelist');
    append(spec, other, 'namespaceResourceBlacklist');
    append(spec, other, 'clusterResourceWhitelist');
    append(spec, other, 'clusterResourceBlacklist');
    append(spec, other, 'syncWindows');
    append(spec, other, 'sourceRepos');
    append(spec, other, 'destinations');
    append(spec, other, 'destinationServiceAccounts');
  }
  return { ...project, spec };
}

type Lists = {
  [Name in keyof AppProject['spec']]-?: NonNullable<AppProject['spec'][Name]> extends readonly unknown[] ? Name : never;
}[keyof AppProject['spec']];

function append<Name extends Lists>(spec: AppProject['spec'], other: AppProject['spec'], name: Name): void {
  const more = other[name];
  if (more === undefined) return;
  spec[name] = [...((spec[name] ?? []) as readonly unknown[]), ...(more as readonly unknown[])] as AppProject['spec'][Name];
}
