import { isSignedWith } from '../verify-secret.ts';
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
  read: (headers, payload) => (headers['x-gogs-event'] === 'push' ? readGithubPush(payload) : undefined),
};
