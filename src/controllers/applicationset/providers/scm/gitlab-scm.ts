import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { GoInt } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { isThere, requireInteger, requireText, textAt, textsAt } from '../answer-fields.ts';
import { openGitlab, readGitlabPage } from '../gitlab-api.ts';
import { listPages, withQuery } from '../http/list-pages.ts';
import { isNotFound } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { chooseProtocol } from './choose-protocol.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openGitlabScm(run: ProviderRun, spec: NonNullable<GeneratorSpec<'scmProvider'>['gitlab']>): Promise<ScmProvider> {
  const { client, url } = await withPrefix('error fetching Gitlab token: ', () => openGitlab(run, spec));
  const atBranch = (repository: ScmRepository, branch: JsonValue): ScmRepository => ({
    ...repository,
    branch: requireText(branch, 'name'),
    sha: requireText(branch, 'commit', 'id'),
  });
  const idOf = ({ repositoryId }: ScmRepository): string => (repositoryId instanceof GoInt ? String(repositoryId.value) : '');
  return {
    async listRepositories(cloneProtocol) {
      const urlField = chooseProtocol(cloneProtocol, { ssh: 'ssh_url_to_repo', https: 'http_url_to_repo' }, 'Gitlab');
      const first = withQuery(url('groups', spec.group, 'projects'), {
        per_page: 100,
        include_subgroups: String(spec.includeSubgroups === true),
        with_shared: String(spec.includeSharedProjects !== false),
        topic: spec.topic || undefined,
        archived: spec.includeArchivedRepos === true ? 'true' : undefined,
      });
      const listed = await withPrefix(`error listing projects for ${spec.group}: `, () => listPages(client, first, readGitlabPage));
      return listed.map((item) => ({
        organization: requireText(item, 'namespace', 'full_path'),
        repository: requireText(item, 'path'),
        repositoryId: new GoInt(BigInt(requireInteger(item, 'id'))),
        url: requireText(item, urlField),
        branch: textAt(item, 'default_branch') ?? '',
        sha: '',
        labels: textsAt(item, 'topics').length > 0 ? textsAt(item, 'topics') : textsAt(item, 'tag_list'),
      }));
    },
    async listBranches(repository) {
      const branches = url('projects', idOf(repository), 'repository', 'branches');
      return withPrefix(`error listing branches for ${repository.organization}/${repository.repository}: `, async () => {
        if (spec.allBranches === true) {
          const all = await listPages(client, withQuery(branches, { per_page: 100 }), readGitlabPage);
          return all.map((branch) => atBranch(repository, branch));
        }
        // A project without a commit has no default branch.
        if (repository.branch === '') return [];
        try {
          const { json } = await client.ask({ url: `${branches}/${encodeURIComponent(repository.branch)}` });
          return [atBranch(repository, json ?? null)];
        } catch (error) {
          if (isNotFound(error)) return [];
          throw error;
        }
      });
    },
    async hasPath(repository, path) {
      const { organization, repository: name, branch } = repository;
      const { json } = await withPrefix('error getting Project Info: ', () =>
        client.ask({ url: url('projects', `${organization}/${name}`) }),
      );
      const id = String(requireInteger(json, 'id'));
      const get = async (address: string) => (await client.ask({ url: address })).json;
      const file = withQuery(url('projects', id, 'repository', 'files', path), { ref: branch });
      if (
        await isThere(
          () => get(file),
          (answer) => textAt(answer, 'file_path') !== undefined,
        )
      )
        return true;
      // What is no file may be a directory, which has a tree.
      const tree = withQuery(url('projects', id, 'repository', 'tree'), { path, ref: branch, per_page: 1 });
      let isEmpty = false;
      const hasTree = await isThere(
        () => get(tree),
        (answer) => {
          isEmpty = isJsonArray(answer) && answer.length === 0;
          return isJsonArray(answer);
        },
      );
      return hasTree && !isEmpty;
    },
  };
}
