import { textAt } from '../payload.ts';
import { isSignedWith } from '../verify-secret.ts';
import type { PullRequestEvent } from '../webhook-event.ts';
import { revealSecret, type WebhookProvider } from '../webhook-provider.ts';
import { readGithubPush } from './github.ts';

/** Gogs and those that grew out of it: Gitea and Forgejo send its headers beside their own and GitHub's. */
export const gogs: WebhookProvider = {
  name: 'Gogs',
  recognises: (headers) => headers['x-gogs-event'] !== undefined,
  verify({ headers, body }, secrets) {
    const secret = revealSecret(secrets.gogs);
    return secret === undefined || isSignedWith(secret, body, headers['x-gogs-signature']);
  },
  read(headers, payload) {
    switch (headers['x-gogs-event']) {
      case 'push':
        return readGithubPush(payload);
      case 'pull_request':
        return readPullRequest(payload);
      default:
        return undefined;
    }
  },
};

function readPullRequest(payload: unknown): readonly PullRequestEvent[] {
  const owner = textAt(payload, 'repository', 'owner', 'login') || textAt(payload, 'repository', 'owner', 'username');
  const repository = textAt(payload, 'repository', 'name');
  const address = textAt(payload, 'repository', 'html_url');
  if (owner === '' || repository === '' || !URL.canParse(address)) return [];
  return [{ type: 'pull-request', provider: 'gitea', owner, repository, host: new URL(address).host }];
}
