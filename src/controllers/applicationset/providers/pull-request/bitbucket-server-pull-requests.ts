import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireInteger, requireText, textAt } from '../answer-fields.ts';
import { openBitbucketServer } from '../bitbucket-server-api.ts';
import type { ProviderRun } from '../open-provider.ts';
import type { ListPullRequests } from './pull-request-provider.ts';

export async function openBitbucketServerPullRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['bitbucketServer']>,
): Promise<ListPullRequests> {
  const { url, list } = await openBitbucketServer(run, spec);
  return async () => {
    const listed = await withPrefix(`error listing pull requests for ${spec.project}/${spec.repo}: `, () =>
      list(url('projects', spec.project, 'repos', spec.repo, 'pull-requests')),
    );
    return listed.map((item) => ({
      number: requireInteger(item, 'id'),
      title: textAt(item, 'title') ?? '',
      branch: requireText(item, 'fromRef', 'displayId'),
      targetBranch: requireText(item, 'toRef', 'displayId'),
      headSha: requireText(item, 'fromRef', 'latestCommit'),
      labels: [],
      author: textAt(item, 'author', 'user', 'name') ?? '',
    }));
  };
}
