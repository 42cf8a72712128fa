import { mapBounded } from '../../../../base/index.ts';
import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { GoInt } from '../../../../template/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { isThere, requireInteger, requireText, textAt, unexpected, valueAt } from '../answer-fields.ts';
import { openBitbucketServer } from '../bitbucket-server-api.ts';
import { encodePath, withQuery } from '../http/list-pages.ts';
import { isNotFound } from '../http/provider-error.ts';
import type { ProviderRun } from '../open-provider.ts';
import { chooseProtocol } from './choose-protocol.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openBitbucketServerScm(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'scmProvider'>['bitbucketServer']>,
): Promise<ScmProvider> {
  const { client, url, list } = await openBitbucketServer(run, spec);
  const at = (project: string, repository: string, ...rest: readonly string[]): string =>
    url('projects', project, 'repos', repository, ...rest);
  /** Undefined where there is none: a new repository, or one whose default branch nobody has pushed. */
  const findDefaultBranch = async (project: string, repository: string) => {
    try {
      const { json } = await client.ask({ url: at(project, repository, 'branches', 'default') });
      return json === undefined ? undefined : readBranch(json);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    async listRepositories(cloneProtocol) {
      const linkName = chooseProtocol(cloneProtocol, { ssh: 'ssh', https: 'http' }, 'Bitbucket Server');
      const listed = await withPrefix(`error listing repositories for ${spec.project}: `, () =>
        list(url('projects', spec.project, 'repos')),
      );
      const found = await mapBounded(listed, client.limits.parallelMax, async (item): Promise<ScmRepository[]> => {
        const organization = requireText(item, 'project', 'key');
        const repository = requireText(item, 'name');
        const slug = textAt(item, 'slug') ?? repository;
        const branch = await findDefaultBranch(organization, slug);
        if (branch === undefined) return [];
        const repositoryId = new GoInt(BigInt(requireInteger(item, 'id')));
        return [{ organization, repository, repositoryId, url: readCloneLink(item, linkName), ...branch, labels: [], slug }];
      });
      return found.flat();
    },
    async listBranches(repository) {
      const { organization, repository: name, slug = name } = repository;
      if (spec.allBranches !== true) return [repository];
      return withPrefix(`error listing branches for ${organization}/${name}: `, async () =>
        (await list(at(organization, slug, 'branches'))).map((branch) => ({ ...repository, ...readBranch(branch) })),
      );
    },
    async hasPath({ organization, repository, slug = repository, branch }, path) {
      const place = `${at(organization, slug, 'browse')}/${encodePath(path)}`;
      const ask = async () => (await client.ask({ url: withQuery(place, { at: branch, type: 'true', limit: 100 }) })).json;
      return isThere(ask, (json) => textAt(json, 'type') !== undefined);
    },
  };
}

function readBranch(branch: JsonValue): Pick<ScmRepository, 'branch' | 'sha'> {
  return { branch: requireText(branch, 'displayId'), sha: textAt(branch, 'latestCommit') ?? '' };
}

function readCloneLink(item: JsonValue, name: string): string {
  const links = valueAt(item, 'links', 'clone');
  if (!isJsonArray(links)) throw unexpected('links.clone is not a list');
  return (
    textAt(
      links.find((link) => valueAt(link, 'name') === name),
      'href',
    ) ?? ''
  );
}
