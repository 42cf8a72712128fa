import { isJsonArray, type JsonValue } from '../../../../objects/index.ts';
import { withPrefix } from '../../generators/describe-error.ts';
import type { GeneratorSpec } from '../../generators/generator.ts';
import { textAt, unexpected, valueAt } from '../answer-fields.ts';
import { openAzureDevOps } from '../azure-devops-api.ts';
import { createAddToList, withQuery } from '../http/list-pages.ts';
import { ProviderError } from '../http/provider-error.ts';
import { readUntilStable, type ReadList } from '../http/read-until-stable.ts';
import type { ProviderRun } from '../open-provider.ts';
import { readSecretRef } from '../read-references.ts';
import { hasLabels, type ListPullRequests, type PullRequest } from './pull-request-provider.ts';

const pageSize = 100;
/** How it says that there is no such project; the status says something else. */
const projectMissing = 'The following project does not exist';

export async function openAzureDevOpsPullRequests(
  run: ProviderRun,
  spec: NonNullable<GeneratorSpec<'pullRequest'>['azuredevops']>,
): Promise<ListPullRequests> {
  const token = await withPrefix('error fetching Secret token: ', () => readSecretRef(run.context, spec.tokenRef, run));
  const { client, url, list } = await openAzureDevOps(run, { ...spec, token });
  const first = url(spec.project, 'pullrequests');

  /** It gives so many at a time, and says nowhere whether there are more. */
  async function listOnce(): Promise<ReadList> {
    const items: JsonValue[] = [];
    const add = createAddToList(client);
    for (let page = 0; page < client.limits.pagesMax; page++) {
      const found = await list(withQuery(first, { $top: pageSize, $skip: page * pageSize }), add);
      for (const item of found) items.push(item);
      if (found.length < pageSize) return { items, pages: page + 1 };
    }
    throw unexpected(`it lists more than ${client.limits.pagesMax} pages`);
  }

  return async () => {
    try {
      const listed = await withPrefix('failed to get pull requests by project: ', () => readUntilStable(listOnce));
      return listed.flatMap((item) => readRequest(item, spec.repo)).filter(({ labels }) => hasLabels(labels, spec.labels));
    } catch (error) {
      const isMissing = error instanceof Error && error.message.includes(projectMissing);
      if (isMissing) throw new ProviderError(error.message, { status: 404, cause: error });
      throw error;
    }
  };
}

/** None for one of another repository, or one that is not merged for trial yet. */
function readRequest(item: JsonValue, repository: string): PullRequest[] {
  const number = valueAt(item, 'pullRequestId');
  const [source, target] = [textAt(item, 'sourceRefName'), textAt(item, 'targetRefName')];
  const headSha = textAt(item, 'lastMergeSourceCommit', 'commitId');
  if (textAt(item, 'repository', 'name') !== repository || typeof number !== 'number' || !source || !target || !headSha) return [];
  const labels = valueAt(item, 'labels');
  return [
    {
      number,
      title: textAt(item, 'title') ?? '',
      branch: source.replace('refs/heads/', ''),
      targetBranch: target.replace('refs/heads/', ''),
      headSha,
      labels: isJsonArray(labels) ? labels.flatMap((label) => textAt(label, 'name') ?? []) : [],
      author: (textAt(item, 'createdBy', 'uniqueName') ?? '').split('@')[0] ?? '',
    },
  ];
}
