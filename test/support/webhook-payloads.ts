/** Webhooks in the shapes that providers document, as far as anyone reads them. */
import { createHmac } from 'node:crypto';

export interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

export interface PushFacts {
  /** As a browser shows it: `https://git.example.com/acme/shop`. */
  readonly url: string;
  readonly branch?: string;
  readonly defaultBranch?: string;
  readonly files?: readonly string[];
}

export function githubPush({ url, branch = 'main', defaultBranch = 'main', files = [] }: PushFacts): SentWebhook {
  return {
    headers: { 'x-github-event': 'push', 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' },
    payload: {
      ref: `refs/heads/${branch}`,
      before: '1'.repeat(40),
      after: '2'.repeat(40),
      created: false,
      deleted: false,
      forced: false,
      commits: [{ id: '2'.repeat(40), message: 'Change', added: [], removed: [], modified: files }],
      repository: { id: 1, name: 'shop', full_name: 'acme/shop', html_url: url, default_branch: defaultBranch },
      pusher: { name: 'ada' },
    },
  };
}

/** Gitea sends the headers of Gogs and GitHub beside its own. */
export function giteaPush(facts: PushFacts): SentWebhook {
  return { ...githubPush(facts), headers: { 'x-gitea-event': 'push', 'x-gogs-event': 'push', 'x-github-event': 'push' } };
}

export function gitlabPush({ url, branch = 'main', defaultBranch = 'main', files = [] }: PushFacts): SentWebhook {
  return {
    headers: { 'x-gitlab-event': 'Push Hook' },
    payload: {
      object_kind: 'push',
      event_name: 'push',
      ref: `refs/heads/${branch}`,
      project: { id: 15, web_url: url, default_branch: defaultBranch, path_with_namespace: 'acme/shop' },
      commits: [{ id: '2'.repeat(40), added: [], modified: files, removed: [] }],
      total_commits_count: 1,
    },
  };
}

export function bitbucketCloudPush({ url, branch = 'main' }: PushFacts): SentWebhook {
  return {
    headers: { 'x-event-key': 'repo:push', 'x-hook-uuid': '8f1d3e7c-0000-4000-8000-000000000001' },
    payload: {
      repository: { full_name: 'acme/shop', links: { html: { href: url } } },
      push: {
        changes: [{ new: { type: 'branch', name: branch, target: { hash: '2'.repeat(40) } }, old: { type: 'branch', name: branch } }],
      },
    },
  };
}

export function bitbucketServerPush({ url, branch = 'main' }: PushFacts): SentWebhook {
  const { host, pathname } = new URL(url);
  return {
    headers: { 'x-event-key': 'repo:refs_changed' },
    payload: {
      eventKey: 'repo:refs_changed',
      repository: {
        slug: 'shop',
        links: {
          clone: [
            { name: 'ssh', href: `ssh://git@${host}${pathname}.git` },
            { name: 'http', href: `${url}.git` },
          ],
        },
      },
      changes: [{ ref: { id: `refs/heads/${branch}`, displayId: branch, type: 'BRANCH' }, type: 'UPDATE', toHash: '2'.repeat(40) }],
    },
  };
}

export function azurePush({ url, branch = 'main', defaultBranch = 'main' }: PushFacts): SentWebhook {
  return {
    headers: { 'x-vss-activityid': '3b1f0000-0000-4000-8000-000000000002' },
    payload: {
      eventType: 'git.push',
      publisherId: 'tfs',
      resource: {
        refUpdates: [{ name: `refs/heads/${branch}`, oldObjectId: '1'.repeat(40), newObjectId: '2'.repeat(40) }],
        repository: { name: 'shop', remoteUrl: url, defaultBranch: `refs/heads/${defaultBranch}`, project: { name: 'acme' } },
      },
    },
  };
}

export function githubPackage(owner: string, name: string, tag: string): SentWebhook {
  return {
    headers: { 'x-github-event': 'package' },
    payload: {
      action: 'published',
      package: {
        name,
        package_type: 'CONTAINER',
        owner: { login: owner },
        package_version: { container_metadata: { tag: { name: tag } } },
      },
    },
  };
}

export function githubPullRequest(owner: string, repository: string, api = 'https://api.github.com'): SentWebhook {
  return {
    headers: { 'x-github-event': 'pull_request' },
    payload: {
      action: 'opened',
      number: 1,
      repository: { name: repository, owner: { login: owner }, url: `${api}/repos/${owner}/${repository}` },
    },
  };
}

export function gitlabMergeRequest(projectId: number, url: string): SentWebhook {
  return {
    headers: { 'x-gitlab-event': 'Merge Request Hook' },
    payload: {
      object_kind: 'merge_request',
      project: { id: projectId, web_url: url, path_with_namespace: 'acme/shop' },
      object_attributes: { action: 'open', target_project_id: projectId },
    },
  };
}

export function azurePullRequest(project: string, repository: string): SentWebhook {
  return {
    headers: { 'x-vss-activityid': '3b1f0000-0000-4000-8000-000000000003' },
    payload: { eventType: 'git.pullrequest.created', resource: { repository: { name: repository, project: { name: project } } } },
  };
}

export function giteaPullRequest(owner: string, repository: string, url: string): SentWebhook {
  return {
    headers: { 'x-gitea-event': 'pull_request', 'x-gogs-event': 'pull_request', 'x-github-event': 'pull_request' },
    payload: { action: 'opened', number: 1, repository: { name: repository, html_url: url, owner: { login: owner } } },
  };
}

export function bitbucketCloudPullRequest(owner: string, repository: string): SentWebhook {
  return {
    headers: { 'x-event-key': 'pullrequest:created', 'x-hook-uuid': '8f1d3e7c-0000-4000-8000-000000000001' },
    payload: { pullrequest: { id: 1 }, repository: { full_name: `${owner}/${repository}` } },
  };
}

export function bitbucketServerPullRequest(project: string, repository: string): SentWebhook {
  return {
    headers: { 'x-event-key': 'pr:opened' },
    payload: { eventKey: 'pr:opened', pullRequest: { id: 1, toRef: { repository: { slug: repository, project: { key: project } } } } },
  };
}

/** `sha256=…`, as GitHub and Bitbucket Server sign. */
export function hubSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
