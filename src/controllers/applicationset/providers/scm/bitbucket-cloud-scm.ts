import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { ApiError, Code } from '../../../../base/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { isThere, requireText, textAt, unexpected, valueAt } from '../answer-fields.ts';
import { bitbucketCloudApi, readCloudPage } from '../bitbucket-cloud-api.ts';
import { encodePath, joinPath, listPages, withQuery } from '../http/list-pages.ts';
import { basicAuthorization, openProvider, type ProviderRun } from '../open-provider.ts';
import { readSecretRef } from '../read-references.ts';
import type { ScmProvider, ScmRepository } from './scm-provider.ts';

export async function openBitbucketCloudScm(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'scmProvider'>['bitbucket']>,
): Promise<ScmProvider> {
  const { context } = run;
  const password = await withPrefix('error fetching Bitbucket cloud appPassword: ', () => readSecretRef(context, spec.appPasswordRef, run));
  const authorization = basicAuthorization(spec.user, password);
  const client = await openProvider(run, { headers: { authorization }, secrets: [password, authorization.slice('Basic '.length)] });
  const url = (...segments: readonly string[]): string => joinPath(bitbucketCloudApi(context), 'repositories', ...segments);
  const atBranch = (repository: ScmRepository, branch: JsonValue): ScmRepository => ({
    ...repository,
    branch: requireText(branch, 'name'),
    sha: requireText(branch, 'target', 'hash'),
  });
  return {
    async listRepositories(cloneProtocol) {
      const listed = await withPrefix(`error listing repositories for ${spec.owner}: `, () =>
        listPages(client, withQuery(url(spec.owner), { role: 'member', pagelen: 100 }), readCloudPage),
      );
      return listed.map((item) => {
        const repository = requireText(item, 'slug');
        return {
          organization: spec.owner,
          repository,
          repositoryId: requireText(item, 'uuid'),
          url: readCloneLink(item, cloneProtocol, repository),
          branch: textAt(item, 'mainbranch', 'name') ?? '',
          sha: '',
          labels: [],
        };
      });
    },
    async listBranches(repository) {
      const { organization, repository: name, branch } = repository;
      const branches = url(organization, name, 'refs', 'branches');
      return withPrefix(`error listing branches for ${organization}/${name}: `, async () => {
        if (spec.allBranches !== true) {
          // A repository without a commit has no main branch.
          if (branch === '') return [];
          const { json } = await client.ask({ url: `${branches}/${encodeURIComponent(branch)}` });
          return [atBranch(repository, json ?? null)];
        }
        const all = await listPages(client, withQuery(branches, { pagelen: 100 }), readCloudPage);
        return all.map((one) => atBranch(repository, one));
      });
    },
    async hasPath({ organization, repository, sha }, path) {
      const source = `${url(organization, repository, 'src', sha)}/${encodePath(path)}`;
      const ask = async () => (await client.ask({ url: withQuery(source, { format: 'meta' }) })).json;
      return isThere(ask, (json) => textAt(json, 'path') !== undefined);
    },
  };
}

function readCloneLink(item: JsonValue, cloneProtocol: string, repository: string): string {
  const protocol = cloneProtocol || 'ssh';
  const links = valueAt(item, 'links', 'clone');
  if (!isJsonArray(links)) throw unexpected('links.clone is not a list');
  const found = textAt(
    links.find((link) => valueAt(link, 'name') === protocol),
    'href',
  );
  if (found !== undefined) return found;
  const reason = `unknown clone protocol for Bitbucket cloud ${protocol}`;
  throw new ApiError(Code.InvalidArgument, `error fetching clone url for repo ${repository}: ${reason}`);
}
