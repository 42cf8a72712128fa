import { listAt, textAt } from '../payload.ts';
import { sameSecret } from '../verify-secret.ts';
import type { PullRequestEvent, PushEvent } from '../webhook-event.ts';
import { revealSecret, shortRef, type WebhookProvider } from '../webhook-provider.ts';

export const azureDevOps: WebhookProvider = {
  name: 'Azure DevOps',
  recognises: (headers) => headers['x-vss-activityid'] !== undefined,
  verify({ headers }, secrets) {
    const username = revealSecret(secrets.azureUsername) ?? '';
    const password = revealSecret(secrets.azurePassword) ?? '';
    if (username === '' && password === '') return true;
    return sameSecret(readBasic(headers['authorization']) ?? '', `${username}:${password}`);
  },
  read(_headers, payload) {
    switch (textAt(payload, 'eventType')) {
      case 'git.push':
        return readPush(payload);
      case 'git.pullrequest.created':
      case 'git.pullrequest.updated':
      case 'git.pullrequest.merged':
        return readPullRequest(payload);
      default:
        return undefined;
    }
  },
};

function readBasic(authorization: string | undefined): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64');
  // The decoder passes over what does not fit; there is one way to write a password.
  return decoded.toString('base64') === encoded ? decoded.toString() : undefined;
}

function readPush(payload: unknown): readonly PushEvent[] {
  const repository = textAt(payload, 'resource', 'repository', 'remoteUrl');
  if (repository === '') return [];
  const defaultBranch = shortRef(textAt(payload, 'resource', 'repository', 'defaultBranch'));
  return listAt(payload, 'resource', 'refUpdates').flatMap((update): PushEvent[] => {
    const revision = shortRef(textAt(update, 'name'));
    if (revision === '') return [];
    return [{ type: 'push', repositories: [repository], revision, touchesHead: revision === defaultBranch, changedFiles: undefined }];
  });
}

function readPullRequest(payload: unknown): readonly PullRequestEvent[] {
  const repository = textAt(payload, 'resource', 'repository', 'name');
  const project = textAt(payload, 'resource', 'repository', 'project', 'name');
  return repository === '' || project === '' ? [] : [{ type: 'pull-request', provider: 'azuredevops', project, repository }];
}
