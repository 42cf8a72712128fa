import { ApiError, Code } from '../../../../base/index.ts';
import type { JsonValue } from '../../../../objects/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireText, textAt } from '../answer-fields.ts';
import { openAzureDevOps } from '../azure-devops-api.ts';
import { withQuery } from '../http/list-pages.ts';
import { ProviderError } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { readSecretRef } from '../read-references.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openAzureDevOpsScm(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'scmProvider'>['azureDevOps']>,
): Promise<ScmProvider> {
  const { organization, teamProject, api } = spec;
  const token = await withPrefix('error fetching Azure Devops access token: ', () => readSecretRef(run.context, spec.accessTokenRef, run));
  if (token === '') throw new ApiError(Code.InvalidArgument, 'error initializing Azure Devops service: no access token provided');
  const { url, list, get } = await openAzureDevOps(run, { api, organization, token });
  const branchesOf = (repository: string): string => url(teamProject, 'repositories', repository, 'stats', 'branches');
  const atBranch = (repository: ScmRepository, branch: JsonValue): ScmRepository => ({
    ...repository,
    branch: requireText(branch, 'name'),
    sha: requireText(branch, 'commit', 'commitId'),
  });
  return {
    async listRepositories() {
      const listed = await list(url(teamProject, 'repositories'));
      return listed.flatMap((item): ScmRepository[] => {
        const known = { organization, repository: requireText(item, 'name'), repositoryId: requireText(item, 'id'), sha: '', labels: [] };
        const [branch, address] = [textAt(item, 'defaultBranch'), textAt(item, 'remoteUrl')];
        // Those that nobody has pushed to have no default branch.
        return branch === undefined || address === undefined ? [] : [{ ...known, url: address, branch }];
      });
    },
    async listBranches(repository) {
      const { repository: name, branch } = repository;
      try {
        if (spec.allBranches === true) return (await list(branchesOf(name))).map((one) => atBranch(repository, one));
        const found = await get(withQuery(branchesOf(name), { name: branch.replace('refs/heads/', '') }));
        return [atBranch(repository, found ?? null)];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (error.reason === 'GitRepositoryNotFoundException') return [];
        const what =
          spec.allBranches === true
            ? `failed getting branches from repository ${name}, project ${teamProject}`
            : `could not get default branch ${branch.replace('refs/heads/', '')} (${branch}) from repository ${name}`;
        throw new ProviderError(`${what}: ${error.message}`, { status: error.status ?? 502, cause: error });
      }
    },
    async hasPath({ repositoryId, branch }, path) {
      const items = url(teamProject, 'repositories', typeof repositoryId === 'string' ? repositoryId : '', 'items');
      const query = { path, 'versionDescriptor.version': branch.replace('refs/heads/', '') };
      try {
        requireText(await get(withQuery(items, query)), 'path');
        return true;
      } catch (error) {
        if (error instanceof ProviderError && error.reason === 'GitItemNotFoundException') return false;
        if (!(error instanceof ProviderError)) throw error;
        const text = `failed to check for path existence in Azure DevOps: ${error.message}`;
        throw new ProviderError(text, { status: error.status ?? 502, cause: error });
      }
    },
  };
}
