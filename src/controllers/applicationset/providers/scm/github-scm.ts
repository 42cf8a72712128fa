import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { GoInt } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { isThere, requireInteger, requireText, textAt, textsAt, valueAt } from '../answer-fields.ts';
import { openGithub } from '../github-api.ts';
import { encodePath, listPages, readLinkedPage, withQuery } from '../http/list-pages.ts';
import { isNotFound } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { chooseProtocol } from './choose-protocol.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openGithubScm(run: ProviderRun, spec: NonNullable<GeneratorSpec<'scmProvider'>['github']>): Promise<ScmProvider> {
  const { client, url } = await withPrefix('error fetching Github token: ', () => openGithub(run, spec));
  const atBranch = (repository: ScmRepository, branch: JsonValue): ScmRepository => ({
    ...repository,
    branch: requireText(branch, 'name'),
    sha: requireText(branch, 'commit', 'sha'),
  });
  return {
    async listRepositories(cloneProtocol) {
      const urlField = chooseProtocol(cloneProtocol, { ssh: 'ssh_url', https: 'clone_url' }, 'GitHub');
      const listed = await withPrefix(`error listing repositories for ${spec.organization}: `, () =>
        listPages(client, withQuery(url('orgs', spec.organization, 'repos'), { per_page: 100, page: 1 }), readLinkedPage),
      );
      const wanted = listed.filter((item) => !(spec.excludeArchivedRepos === true && valueAt(item, 'archived') === true));
      return wanted.map((item) => ({
        organization: requireText(item, 'owner', 'login'),
        repository: requireText(item, 'name'),
        repositoryId: new GoInt(BigInt(requireInteger(item, 'id')), 'int64'),
        url: requireText(item, urlField),
        branch: requireText(item, 'default_branch'),
        sha: '',
        labels: textsAt(item, 'topics'),
      }));
    },
    async listBranches(repository) {
      const { organization, repository: name } = repository;
      const branches = url('repos', organization, name, 'branches');
      return withPrefix(`error listing branches for ${organization}/${name}: `, async () => {
        if (spec.allBranches === true) {
          const all = await listPages(client, withQuery(branches, { per_page: 100, page: 1 }), readLinkedPage);
          return all.map((branch) => atBranch(repository, branch));
        }
        try {
          return [
            atBranch(repository, (await client.ask({ url: url('repos', organization, name, 'branches', repository.branch) })).json ?? null),
          ];
        } catch (error) {
          // A repository without a commit has no branch yet.
          if (isNotFound(error)) return [];
          throw error;
        }
      });
    },
    async hasPath({ organization, repository, branch }, path) {
      const content = `${url('repos', organization, repository, 'contents')}/${encodePath(path)}`;
      const ask = async () => (await client.ask({ url: withQuery(content, { ref: branch }) })).json;
      // A file is described, a folder listed.
      return isThere(ask, (json) => isJsonArray(json) || textAt(json, 'path') !== undefined);
    },
  };
}
