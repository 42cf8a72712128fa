import { ApiError, Code } from '../../../../base/index.ts';
import { textList, type GoAny } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { Generator, GeneratorSpec } from '../../generators/generator.ts';
import { parametersOf, withValues } from '../../generators/values.ts';
import { checkProviderAllowed } from '../check-provider-allowed.ts';
import { compileFilter } from '../compile-filter.ts';
import { makeSlug } from '../make-slug.ts';
import { runWithProvider, type ProviderRun } from '../open-provider.ts';
import type { ProviderContext } from '../provider-context.ts';
import { openAzureDevOpsPullRequests } from './azure-devops-pull-requests.ts';
import { openBitbucketCloudPullRequests } from './bitbucket-cloud-pull-requests.ts';
import { openBitbucketServerPullRequests } from './bitbucket-server-pull-requests.ts';
import { openGiteaPullRequests } from './gitea-pull-requests.ts';
import { openGithubPullRequests } from './github-pull-requests.ts';
import { openGitlabMergeRequests } from './gitlab-merge-requests.ts';
import type { ListPullRequests, PullRequest } from './pull-request-provider.ts';

type PullRequestSpec = GeneratorSpec<'pullRequest'>;

const defaultRequeueMs = 1_800_000;

/** Yields the pull requests of a repository. */
export function createPullRequestGenerator(context: ProviderContext): Generator<'pullRequest'> {
  return {
    requeueAfterMs: ({ requeueAfterSeconds }) => (requeueAfterSeconds === undefined ? defaultRequeueMs : requeueAfterSeconds * 1_000),
    async generate({ spec, applicationSet, goTemplate, renderText, strictTokens, signal }) {
      const scope = { namespace: applicationSet.metadata.namespace || context.namespace, strictTokens, signal };
      const requests = await runWithProvider(context, scope, async (run) => {
        const list = await withPrefix('failed to select pull request service provider: ', async () => {
          checkProviderAllowed(context, { api: apiOf(spec), namespace: scope.namespace });
          return openPullRequests(run, spec);
        });
        return withPrefix('error listing repos: ', () => listFiltered(list, spec));
      });
      return withPrefix('failed to append templated values: ', async () =>
        requests.map((request) => withValues(parametersOf(toParameters(request, goTemplate)), spec.values, { goTemplate, renderText })),
      );
    },
  };
}

function apiOf({ github, gitlab, gitea, bitbucketServer, bitbucket, azuredevops }: PullRequestSpec): string | undefined {
  return (github ?? gitlab ?? gitea ?? bitbucketServer ?? bitbucket ?? azuredevops)?.api;
}

async function openPullRequests(run: ProviderRun, spec: PullRequestSpec): Promise<ListPullRequests> {
  if (spec.github) return openGithubPullRequests(run, spec.github);
  if (spec.gitlab) return openGitlabMergeRequests(run, spec.gitlab);
  if (spec.gitea) return openGiteaPullRequests(run, spec.gitea);
  if (spec.bitbucketServer) return openBitbucketServerPullRequests(run, spec.bitbucketServer);
  if (spec.bitbucket) return openBitbucketCloudPullRequests(run, spec.bitbucket);
  if (spec.azuredevops) return openAzureDevOpsPullRequests(run, spec.azuredevops);
  throw new ApiError(Code.InvalidArgument, 'no Pull Request provider implementation configured');
}

/** A repository that is gone has no pull requests, where the generator says so. Nothing else counts as gone. */
async function listFiltered(list: ListPullRequests, spec: PullRequestSpec): Promise<readonly PullRequest[]> {
  const filters = (spec.filters ?? []).map(compileFilters);
  let requests: readonly PullRequest[];
  try {
    requests = await list();
  } catch (error) {
    if (spec.continueOnRepoNotFoundError === true && error instanceof ApiError && error.code === Code.NotFound) return [];
    throw error;
  }
  return requests.filter((request) => filters.length === 0 || filters.some((passes) => passes(request)));
}

function compileFilters(filter: NonNullable<PullRequestSpec['filters']>[number]): (request: PullRequest) => boolean {
  const { branchMatch, targetBranchMatch, titleMatch } = filter;
  const isBranch = branchMatch ? compileFilter('BranchMatch', branchMatch) : () => true;
  const isTarget = targetBranchMatch ? compileFilter('TargetBranchMatch', targetBranchMatch) : () => true;
  const isTitle = titleMatch ? compileFilter('TitleMatch', titleMatch) : () => true;
  return ({ branch, targetBranch, title }) => isBranch(branch) && isTarget(targetBranch) && isTitle(title);
}

function toParameters(request: PullRequest, goTemplate: boolean): [string, GoAny][] {
  const { number, title, branch, targetBranch, headSha, author, labels } = request;
  return [
    ['number', String(number)],
    ['title', title],
    ['branch', branch],
    ['branch_slug', makeSlug(branch)],
    ['target_branch', targetBranch],
    ['target_branch_slug', makeSlug(targetBranch)],
    ['head_sha', headSha],
    ['head_short_sha', headSha.slice(0, 8)],
    ['head_short_sha_7', headSha.slice(0, 7)],
    ['author', author],
    ...(goTemplate ? [['labels', textList(labels)] satisfies [string, GoAny]] : []),
  ];
}
