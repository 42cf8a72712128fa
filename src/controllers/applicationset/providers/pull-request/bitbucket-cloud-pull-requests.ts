import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireInteger, requireText, textAt } from '../answer-fields.ts';
import { bitbucketCloudApi, readCloudPage } from '../bitbucket-cloud-api.ts';
import { readBitbucketAuthorization } from '../bitbucket-server-api.ts';
import { joinPath, listPages } from '../http/list-pages.ts';
import { openProvider, type ProviderRun } from '../open-provider.ts';
import type { ListPullRequests } from './pull-request-provider.ts';

export async function openBitbucketCloudPullRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['bitbucket']>,
): Promise<ListPullRequests> {
  const { authorization, secrets } = await readBitbucketAuthorization(run, spec);
  const client = await openProvider(run, { headers: authorization === undefined ? {} : { authorization }, secrets });
  return async () => {
    const url = `${joinPath(bitbucketCloudApi(run.context, spec.api), 'repositories', spec.owner, spec.repo, 'pullrequests')}/`;
    const listed = await withPrefix(`error listing pull requests for ${spec.owner}/${spec.repo}: `, () =>
      listPages(client, url, readCloudPage),
    );
    return listed.map((item) => ({
      number: requireInteger(item, 'id'),
      title: textAt(item, 'title') ?? '',
      branch: requireText(item, 'source', 'branch', 'name'),
      targetBranch: requireText(item, 'destination', 'branch', 'name'),
      headSha: textAt(item, 'source', 'commit', 'hash') ?? '',
      labels: [],
      author: textAt(item, 'author', 'nickname') ?? '',
    }));
  };
}
