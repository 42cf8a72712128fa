import { ApiError, Code } from '../../../../base/index.ts';
import { normalizeName, type GoAny } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { Generator, GeneratorSpec } from '../../generators/generator.ts';
import { parametersOf, withValues } from '../../generators/values.ts';
import { checkProviderAllowed } from '../check-provider-allowed.ts';
import { runWithProvider, type ProviderRun } from '../open-provider.ts';
import type { ProviderContext } from '../provider-context.ts';
import { openAzureDevOpsScm } from './azure-devops-scm.ts';
import { openBitbucketCloudScm } from './bitbucket-cloud-scm.ts';
import { openBitbucketServerScm } from './bitbucket-server-scm.ts';
import { openCodeCommitScm } from './code-commit-scm.ts';
import { listFiltered } from './filter-repositories.ts';
import { openGiteaScm } from './gitea-scm.ts';
import { openGithubScm } from './github-scm.ts';
import { openGitlabScm } from './gitlab-scm.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

type ScmSpec = GeneratorSpec<'scmProvider'>;

const defaultRequeueMs = 1_800_000;

/** Yields the repositories, and their branches, that a provider keeps. */
export function createScmGenerator(context: ProviderContext): Generator<'scmProvider'> {
  return {
    requeueAfterMs: ({ requeueAfterSeconds }) => (requeueAfterSeconds === undefined ? defaultRequeueMs : requeueAfterSeconds * 1_000),
    async generate({ spec, applicationSet, goTemplate, renderText, strictTokens, signal }) {
      const scope = { namespace: applicationSet.metadata.namespace || context.namespace, strictTokens, signal };
      checkProviderAllowed(context, { api: apiOf(spec), namespace: scope.namespace });
      const repositories = await runWithProvider(context, scope, async (run) => {
        const provider = await openScm(run, spec);
        const { filters = [], cloneProtocol = '' } = spec;
        return withPrefix('error listing repos: ', () =>
          listFiltered(provider, { filters, cloneProtocol, parallelMax: context.limits.parallelMax }),
        );
      });
      return withPrefix('failed to append templated values: ', async () =>
        repositories.map((repository) => withValues(parametersOf(toParameters(repository)), spec.values, { goTemplate, renderText })),
      );
    },
  };
}

/** The address that a generator names, if any: only that is held against the list of those that are allowed. */
function apiOf({ github, gitlab, gitea, bitbucketServer, azureDevOps }: ScmSpec): string | undefined {
  return (github ?? gitlab ?? gitea ?? bitbucketServer ?? azureDevOps)?.api;
}

async function openScm(run: ProviderRun, spec: ScmSpec): Promise<ScmProvider> {
  if (spec.github) return openGithubScm(run, spec.github);
  if (spec.gitlab) return openGitlabScm(run, spec.gitlab);
  if (spec.gitea) return openGiteaScm(run, spec.gitea);
  if (spec.bitbucketServer) return openBitbucketServerScm(run, spec.bitbucketServer);
  if (spec.azureDevOps) return openAzureDevOpsScm(run, spec.azureDevOps);
  if (spec.bitbucket) return openBitbucketCloudScm(run, spec.bitbucket);
  if (spec.awsCodeCommit) return openCodeCommitScm(run, spec.awsCodeCommit);
  throw new ApiError(Code.InvalidArgument, 'no SCM provider implementation configured');
}

function toParameters({ organization, repository, repositoryId, url, branch, sha, labels }: ScmRepository): [string, GoAny][] {
  return [
    ['organization', organization],
    ['repository', repository],
    ['repository_id', repositoryId],
    ['url', url],
    ['branch', branch],
    ['sha', sha],
    ['short_sha', sha.slice(0, 8)],
    ['short_sha_7', sha.slice(0, 7)],
    ['labels', labels.join(',')],
    ['branchNormalized', normalizeName(branch)],
  ];
}
