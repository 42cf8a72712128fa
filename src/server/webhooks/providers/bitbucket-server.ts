import { listAt, textAt, valueAt } from '../payload.ts';
import { isSignedWith } from '../verify-secret.ts';
import type { PullRequestEvent, PushEvent } from '../webhook-event.ts';
import { revealSecret, shortRef, type WebhookProvider } from '../webhook-provider.ts';

export const bitbucketServer: WebhookProvider = {
  name: 'Bitbucket Server',
  // Bitbucket Cloud has this header too, and one more.
  recognises: (headers) => headers['x-event-key'] !== undefined && headers['x-hook-uuid'] === undefined,
  verify({ headers, body }, secrets) {
    const secret = revealSecret(secrets.bitbucketServer);
    return secret === undefined || isSignedWith(secret, body, headers['x-hub-signature'], 'sha256=');
  },
  read(headers, payload) {
    switch (headers['x-event-key']) {
      case 'diagnostics:ping':
        return [];
      case 'repo:refs_changed':
        return readPush(payload);
      case 'pr:opened':
      case 'pr:from_ref_updated':
      case 'pr:modified':
      case 'pr:merged':
      case 'pr:declined':
      case 'pr:deleted':
        return readPullRequest(payload);
      default:
        return undefined;
    }
  },
};

function readPullRequest(payload: unknown): readonly PullRequestEvent[] {
  const target = valueAt(payload, 'pullRequest', 'toRef', 'repository');
  const project = textAt(target, 'project', 'key');
  const repository = textAt(target, 'slug');
  return project === '' || repository === '' ? [] : [{ type: 'pull-request', provider: 'bitbucketServer', project, repository }];
}

/** The payload says neither which files changed nor which branch is the default one. */
function readPush(payload: unknown): readonly PushEvent[] {
  const links = listAt(payload, 'repository', 'links', 'clone');
  const repositories = links
    .filter((link) => ['http', 'ssh'].includes(textAt(link, 'name')))
    .map((link) => textAt(link, 'href'))
    .filter((address) => address !== '');
  if (repositories.length === 0) return [];
  return listAt(payload, 'changes').flatMap((change): PushEvent[] => {
    const revision = shortRef(textAt(change, 'ref', 'id') || textAt(change, 'refId'));
    return revision === '' ? [] : [{ type: 'push', repositories, revision, touchesHead: true, changedFiles: undefined }];
  });
}
