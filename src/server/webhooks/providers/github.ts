import { textAt, valueAt } from '../payload.ts';
import { readChangedFiles } from '../read-commits.ts';
import { isSignedWith } from '../verify-secret.ts';
import type { PackageEvent, PullRequestEvent, PushEvent } from '../webhook-event.ts';
import { revealSecret, shortRef, type WebhookProvider } from '../webhook-provider.ts';

const eventHeader = 'x-github-event';

const verify: WebhookProvider['verify'] = ({ headers, body }, secrets) => {
  const secret = revealSecret(secrets.github);
  return secret === undefined || isSignedWith(secret, body, headers['x-hub-signature-256'], 'sha256=');
};

export const github: WebhookProvider = {
  name: 'GitHub',
  // Forgejo and Gitea also speak as GitHub does; what they say themselves comes first.
  recognises: (headers) => ![undefined, 'package'].includes(headers[eventHeader]) && headers['x-gogs-event'] === undefined,
  verify,
  read(headers, payload) {
    switch (headers[eventHeader]) {
      case 'ping':
        return [];
      case 'push':
        return readGithubPush(payload);
      case 'pull_request':
        return readPullRequest(payload);
      default:
        return undefined;
    }
  },
};

/** Packages that are published in GitHub's registry of containers. */
export const githubPackages: WebhookProvider = {
  name: 'GitHub packages',
  recognises: (headers) => headers[eventHeader] === 'package',
  verify,
  read: (_headers, payload) => readPackage(payload),
  refusal: { status: 401, text: 'Unauthorized' },
};

export function readGithubPush(payload: unknown): readonly PushEvent[] {
  const repository = textAt(payload, 'repository', 'html_url');
  const revision = shortRef(textAt(payload, 'ref'));
  if (repository === '' || revision === '') return [];
  const touchesHead = textAt(payload, 'repository', 'default_branch') === revision;
  return [{ type: 'push', repositories: [repository], revision, touchesHead, changedFiles: readChangedFiles(payload) }];
}

const pullRequestActions: ReadonlySet<string> = new Set(['opened', 'closed', 'synchronize', 'labeled', 'unlabeled', 'reopened']);

function readPullRequest(payload: unknown): readonly PullRequestEvent[] {
  if (!pullRequestActions.has(textAt(payload, 'action'))) return [];
  const owner = textAt(payload, 'repository', 'owner', 'login');
  const repository = textAt(payload, 'repository', 'name');
  const address = textAt(payload, 'repository', 'url');
  if (owner === '' || repository === '' || !URL.canParse(address)) return [];
  return [{ type: 'pull-request', provider: 'github', owner, repository, apiHost: new URL(address).host }];
}

function readPackage(payload: unknown): readonly PackageEvent[] {
  const published = valueAt(payload, 'package');
  const owner = textAt(published, 'owner', 'login');
  const name = textAt(published, 'name');
  const tag = textAt(published, 'package_version', 'container_metadata', 'tag', 'name');
  const isContainer = textAt(published, 'package_type').toLowerCase() === 'container';
  if (textAt(payload, 'action') !== 'published' || !isContainer || [owner, name, tag].includes('')) return [];
  return [{ type: 'package', repository: `oci://ghcr.io/${owner}/${name}`, tag }];
}
