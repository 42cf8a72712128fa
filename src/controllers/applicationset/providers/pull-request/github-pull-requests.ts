import { isJsonArray } from '../../../../objects/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireInteger, requireText, textAt, valueAt } from '../answer-fields.ts';
import { openGithub } from '../github-api.ts';
import { listPages, readLinkedPage, withQuery } from '../http/list-pages.ts';
import type { ProviderRun } from '../open-provider.ts';
import { hasLabels, type ListPullRequests } from './pull-request-provider.ts';

export async function openGithubPullRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['github']>,
): Promise<ListPullRequests> {
  const prefix = spec.appSecretName ? 'error getting GitHub App secret: ' : 'error fetching Secret token: ';
  const { client, url } = await withPrefix(prefix, () => openGithub(run, spec));
  return async () => {
    const first = withQuery(url('repos', spec.owner, spec.repo, 'pulls'), { per_page: 100, page: 1 });
    const listed = await withPrefix(`error listing pull requests for ${spec.owner}/${spec.repo}: `, () =>
      listPages(client, first, readLinkedPage),
    );
    const requests = listed.map((item) => {
      const labels = valueAt(item, 'labels');
      return {
        number: requireInteger(item, 'number'),
        title: textAt(item, 'title') ?? '',
        branch: requireText(item, 'head', 'ref'),
        targetBranch: requireText(item, 'base', 'ref'),
        headSha: requireText(item, 'head', 'sha'),
        labels: isJsonArray(labels) ? labels.flatMap((label) => textAt(label, 'name') ?? []) : [],
        author: textAt(item, 'user', 'login') ?? '',
      };
    });
    return requests.filter(({ labels }) => hasLabels(labels, spec.labels));
  };
}
