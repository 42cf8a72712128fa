import { listAt, textAt } from '../payload.ts';
import { sameSecret } from '../verify-secret.ts';
import type { PullRequestEvent, PushEvent } from '../webhook-event.ts';
import { revealSecret, type WebhookProvider } from '../webhook-provider.ts';

export const bitbucketCloud: WebhookProvider = {
  name: 'Bitbucket Cloud',
  recognises: (headers) => headers['x-hook-uuid'] !== undefined,
  verify({ headers }, secrets) {
    const uuid = revealSecret(secrets.bitbucketUuid);
    return uuid === undefined || sameSecret(headers['x-hook-uuid'] ?? '', uuid);
  },
  read(headers, payload) {
    const key = headers['x-event-key'] ?? '';
    if (key === 'repo:push') return readPush(payload);
    return pullRequestKeys.has(key) ? readPullRequest(payload) : undefined;
  },
};

const pullRequestKeys: ReadonlySet<string> = new Set([
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
]);

function readPullRequest(payload: unknown): readonly PullRequestEvent[] {
  const [owner = '', repository = ''] = textAt(payload, 'repository', 'full_name').split('/');
  return owner === '' || repository === '' ? [] : [{ type: 'pull-request', provider: 'bitbucket', owner, repository }];
}

/** The payload does not say which files changed, and not always which branch is the default one: then any branch may be. */
function readPush(payload: unknown): readonly PushEvent[] {
  const repository = textAt(payload, 'repository', 'links', 'html', 'href');
  if (repository === '') return [];
  const defaultBranch = textAt(payload, 'repository', 'mainbranch', 'name');
  return listAt(payload, 'push', 'changes').flatMap((change): PushEvent[] => {
    const side = textAt(change, 'new', 'name') === '' ? 'old' : 'new';
    const revision = textAt(change, side, 'name');
    const touchesHead = textAt(change, side, 'type') !== 'tag' && (defaultBranch === '' || defaultBranch === revision);
    return revision === '' ? [] : [{ type: 'push', repositories: [repository], revision, touchesHead, changedFiles: undefined }];
  });
}
