import { textAt, valueAt } from '../payload.ts';
import { readChangedFiles } from '../read-commits.ts';
import { sameSecret } from '../verify-secret.ts';
import type { PullRequestEvent, PushEvent, WebhookEvent } from '../webhook-event.ts';
import { revealSecret, shortRef, type WebhookProvider } from '../webhook-provider.ts';

export const gitlab: WebhookProvider = {
  name: 'GitLab',
  recognises: (headers) => headers['x-gitlab-event'] !== undefined,
  verify({ headers }, secrets) {
    const secret = revealSecret(secrets.gitlab);
    return secret === undefined || sameSecret(headers['x-gitlab-token'] ?? '', secret);
  },
  read(headers, payload) {
    switch (headers['x-gitlab-event']) {
      case 'Push Hook':
      case 'Tag Push Hook':
        return readPush(payload);
      case 'Merge Request Hook':
        return readMergeRequest(payload);
      case 'System Hook':
        return readSystemHook(payload);
      default:
        return undefined;
    }
  },
};

/** System hooks tell of everything that happens on a GitLab; what is no push or merge request is nothing to us. */
function readSystemHook(payload: unknown): readonly WebhookEvent[] {
  const kind = textAt(payload, 'object_kind') || textAt(payload, 'event_name');
  if (kind === 'push' || kind === 'tag_push') return readPush(payload);
  return kind === 'merge_request' ? readMergeRequest(payload) : [];
}

function readPush(payload: unknown): readonly PushEvent[] {
  const repository = textAt(payload, 'project', 'web_url');
  const revision = shortRef(textAt(payload, 'ref'));
  if (repository === '' || revision === '') return [];
  const touchesHead = textAt(payload, 'project', 'default_branch') === revision;
  return [{ type: 'push', repositories: [repository], revision, touchesHead, changedFiles: readChangedFiles(payload) }];
}

const mergeRequestActions: ReadonlySet<string> = new Set(['open', 'close', 'reopen', 'update', 'merge']);

function readMergeRequest(payload: unknown): readonly PullRequestEvent[] {
  const address = textAt(payload, 'project', 'web_url');
  if (!mergeRequestActions.has(textAt(payload, 'object_attributes', 'action')) || !URL.canParse(address)) return [];
  const id = valueAt(payload, 'object_attributes', 'target_project_id');
  const path = textAt(payload, 'project', 'path_with_namespace');
  const projects = [...(typeof id === 'number' ? [String(id)] : []), ...(path === '' ? [] : [path])];
  return [{ type: 'pull-request', provider: 'gitlab', projects, host: new URL(address).hostname }];
}
