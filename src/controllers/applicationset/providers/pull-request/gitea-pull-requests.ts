import { isJsonArray } from '../../../../objects/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { requireInteger, requireText, textAt, valueAt } from '../answer-fields.ts';
import { openGitea } from '../gitea-api.ts';
import { withQuery } from '../http/list-pages.ts';
import type { ProviderRun } from '../open-provider.ts';
import { hasLabels, type ListPullRequests } from './pull-request-provider.ts';

export async function openGiteaPullRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['gitea']>,
): Promise<ListPullRequests> {
  const { url, list } = await withPrefix('error fetching Secret token: ', () => openGitea(run, spec));
  return async () => {
    const listed = await withPrefix(`error listing pull requests for ${spec.owner}/${spec.repo}: `, () =>
      list(withQuery(url('repos', spec.owner, spec.repo, 'pulls'), { state: 'open' })),
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
