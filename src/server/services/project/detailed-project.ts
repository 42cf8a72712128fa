import type { DetailedProjectsResponse } from '../../../contract/index.ts';
import type { AppProject } from '../../../model/index.ts';
import { countApplications } from '../cluster/count-applications.ts';
import { describeCluster } from '../cluster/describe-cluster.ts';
import { describeRepository, projectOf } from '../repository/describe-repository.ts';
import { effectiveProject, globalProjectsOf, type ProjectServiceOptions } from './project-context.ts';

/** A project with what it inherits and what belongs to it alone. */
export function describeProject(context: ProjectServiceOptions, project: AppProject): DetailedProjectsResponse {
  const { applications, clusters, clock, settings } = context;
  const name = project.metadata.name ?? '';
  const counts = countApplications(applications, clusters);
  const ownClusters = clusters
    .list()
    .filter(({ registration }) => registration.project === name)
    .map((cluster) => describeCluster(cluster, { applications: counts.get(cluster.server) ?? 0, nowMs: clock.nowMs() }));
  const repositories = [...settings.current.labelledSecrets.values()]
    .filter((secret) => secret.type === 'repository' && projectOf(secret) === name)
    .map((secret) => {
      // Nobody is asked here whether it answers.
      const unknown = { connectionState: { status: 'Unknown', message: '', attemptedAt: '' }, inheritsCredentials: false };
      const { connectionState: _unknown, ...shown } = describeRepository(secret, unknown);
      return shown;
    });
  return {
    project: effectiveProject(context, project),
    globalProjects: [...globalProjectsOf(context, project)],
    repositories,
    clusters: ownClusters,
  };
}
