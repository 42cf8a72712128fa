import { ApiError } from '../../base/index.ts';
import type { ApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import type { DesiredApplication } from './desired-application.ts';

export interface CheckedApplications {
  /** By name. */
  readonly valid: readonly DesiredApplication[];
  /** What is wanted, valid or not, each name once: these are not deleted, and a rollout does not go on without them. */
  readonly wanted: ReadonlyMap<string, DesiredApplication>;
  /** Why others are not valid, in one text; undefined where all are. */
  readonly problem: string | undefined;
  /** The same for each, by name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Which of the generated applications can be made. Those that cannot do not stop the others. */
export function checkApplications(
  context: Pick<ApplicationSetContext, 'projects' | 'namespace' | 'clusters'>,
  set: ApplicationSet,
  generated: readonly DesiredApplication[],
): CheckedApplications {
  const byName = new Map<string, DesiredApplication[]>();
  for (const application of generated) {
    const known = byName.get(application.name);
    if (known === undefined) byName.set(application.name, [application]);
    else known.push(application);
  }
  const wanted = new Map<string, DesiredApplication>();
  const valid: DesiredApplication[] = [];
  const problems = new Map<string, string>();
  for (const name of [...byName.keys()].sort()) {
    const [application, ...others] = byName.get(name) ?? [];
    if (application === undefined) continue;
    wanted.set(name, application);
    const problem =
      others.length > 0
        ? `ApplicationSet ${set.metadata.name ?? ''} contains applications with duplicate name: ${name}`
        : findProblem(context, application);
    if (problem === undefined) valid.push(application);
    else problems.set(name, problem);
  }
  const last = [...problems.values()].at(-1);
  const more = problems.size > 1 ? ` (and ${problems.size - 1} more)` : '';
  return { valid, wanted, problem: last === undefined ? undefined : `${last}${more}`, problems };
}

function findProblem(
  { projects, namespace, clusters }: Pick<ApplicationSetContext, 'projects' | 'namespace' | 'clusters'>,
  { spec }: DesiredApplication,
): string | undefined {
  if (projects.get({ namespace, name: spec.project }) === undefined)
    return `application references project ${spec.project} which does not exist`;
  try {
    clusters.resolve(spec.destination);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return `application destination spec is invalid: ${error.message}`;
    throw error;
  }
}
