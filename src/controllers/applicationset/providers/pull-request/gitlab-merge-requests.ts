import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireInteger, requireText, textAt, textsAt } from '../answer-fields.ts';
import { openGitlab, readGitlabPage } from '../gitlab-api.ts';
import { listPages, withQuery } from '../http/list-pages.ts';
import type { ProviderRun } from '../open-provider.ts';
import type { ListPullRequests } from './pull-request-provider.ts';

export async function openGitlabMergeRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['gitlab']>,
): Promise<ListPullRequests> {
  const { client, url } = await withPrefix('error fetching Secret token: ', () => openGitlab(run, spec));
  return async () => {
    const first = withQuery(url('projects', spec.project, 'merge_requests'), {
      per_page: 100,
      labels: spec.labels && spec.labels.length > 0 ? spec.labels.join(',') : undefined,
      state: spec.pullRequestState || undefined,
    });
    const listed = await withPrefix(`error listing merge requests for project '${spec.project}': `, () =>
      listPages(client, first, readGitlabPage),
    );
    return listed.map((item) => ({
      number: requireInteger(item, 'iid'),
      title: textAt(item, 'title') ?? '',
      branch: requireText(item, 'source_branch'),
      targetBranch: requireText(item, 'target_branch'),
      // There is none while GitLab has not looked at it yet, or where its branch is gone.
      headSha: textAt(item, 'sha') ?? '',
      labels: textsAt(item, 'labels'),
      author: textAt(item, 'author', 'username') ?? '',
    }));
  };
}
