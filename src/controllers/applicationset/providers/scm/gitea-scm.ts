import { mapBounded } from '../../../../base/index.ts';
import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { GoInt } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { isThere, requireInteger, requireText, textAt, valueAt } from '../answer-fields.ts';
import { openGitea } from '../gitea-api.ts';
import { encodePath, withQuery } from '../http/list-pages.ts';
import { isNotFound, ProviderError } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { chooseProtocol } from './choose-protocol.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openGiteaScm(run: ProviderRun, spec: NonNullable<GeneratorSpec<'scmProvider'>['gitea']>): Promise<ScmProvider> {
  const { client, url, list } = await withPrefix('error initializing Gitea service: ', () => openGitea(run, spec));
  const atBranch = (repository: ScmRepository, branch: JsonValue): ScmRepository => ({
    ...repository,
    branch: requireText(branch, 'name'),
    sha: requireText(branch, 'commit', 'id'),
  });
  return {
    async listRepositories(cloneProtocol) {
      const urlField = chooseProtocol(cloneProtocol, { ssh: 'ssh_url', https: 'html_url' }, 'GitHub');
      const listed = await list(url('orgs', spec.owner, 'repos'));
      const wanted = listed.filter((item) => !(spec.excludeArchivedRepos === true && valueAt(item, 'archived') === true));
      return mapBounded(wanted, client.limits.parallelMax, async (item) => {
        const repository = requireText(item, 'name');
        const labels = await list(url('repos', spec.owner, repository, 'labels'));
        return {
          organization: spec.owner,
          repository,
          repositoryId: new GoInt(BigInt(requireInteger(item, 'id'))),
          url: requireText(item, urlField),
          branch: requireText(item, 'default_branch'),
          sha: '',
          labels: labels.map((label) => requireText(label, 'name')),
        };
      });
    },
    async listBranches(repository) {
      const { organization, repository: name, branch } = repository;
      const branches = url('repos', organization, name, 'branches');
      if (spec.allBranches === true) return (await list(branches)).map((one) => atBranch(repository, one));
      try {
        const { json } = await client.ask({ url: `${branches}/${encodeURIComponent(branch)}` });
        return [atBranch(repository, json ?? null)];
      } catch (error) {
        if (!isNotFound(error)) throw error;
        const where = `default branch "${branch}" for repo "${name}" - check your repo config`;
        throw new ProviderError(`got 404 while getting ${where}: ${error.message}`, { status: 404, cause: error });
      }
    },
    async hasPath({ organization, repository, branch }, path) {
      const content = `${url('repos', organization, repository, 'contents')}/${encodePath(path)}`;
      const ask = async () => (await client.ask({ url: withQuery(content, { ref: branch }) })).json;
      // A file is described, a folder listed.
      return isThere(ask, (json) => isJsonArray(json) || textAt(json, 'path') !== undefined);
    },
  };
}
