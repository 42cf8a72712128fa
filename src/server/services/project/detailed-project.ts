import type { DetailedProjectsResponse, Repository } from '../../../contract/index.ts';
import type { AppProject } from '../../../model/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import { countApplications } from '../cluster/count-applications.ts';
import { describeCluster } from '../cluster/describe-cluster.ts';
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
    .filter(({ type, data }) => type === 'repository' && data.get('project')?.reveal() === name)
    .map(describeRepository);
  return {
    project: effectiveProject(context, project),
    globalProjects: [...globalProjectsOf(context, project)],
    repositories,
    clusters: ownClusters,
  };
}

const texts = ['name', 'noProxy', 'project', 'githubAppEnterpriseBaseUrl', 'azureServicePrincipalClientId'] as const;
const moreTexts = ['azureServicePrincipalTenantId', 'azureActiveDirectoryEndpoint'] as const;
const flags = ['insecure', 'enableLfs', 'enableOCI', 'forceHttpBasicAuth', 'useAzureWorkloadIdentity', 'insecureOCIForceHttp'] as const;
const numbers = ['githubAppID', 'githubAppInstallationID', 'depth'] as const;

/** A repository as everyone may see it: only what is named here leaves. */
function describeRepository({ data }: LabelledSecret): Repository {
  const text = (field: string): string => data.get(field)?.reveal() ?? '';
  const repository: Repository = { repo: withoutUser(text('url')), type: text('type') || 'git' };
  for (const field of [...texts, ...moreTexts]) if (text(field) !== '') repository[field] = text(field);
  for (const field of flags) if (text(field) === 'true') repository[field] = true;
  for (const field of numbers) if (/^\d{1,15}$/.test(text(field))) repository[field] = Number(text(field));
  if (text('proxy') !== '') repository.proxy = withoutUser(text('proxy'));
  return repository;
}

/** Addresses may carry a user and a password. The user of an SSH address is no secret, and part of it. */
function withoutUser(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
}
