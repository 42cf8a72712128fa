import type { Registry } from './registry.ts';

const durationBuckets = [0.1, 0.25, 0.5, 1, 2, 4, 10, 20];

/** A request to the server of a repository. */
interface GitRequest {
  readonly repo: string;
  readonly type: 'ls-remote' | 'fetch';
  readonly revision: string;
  readonly durationMs: number;
  readonly isFailed: boolean;
}

/** Requests to git servers under the names that dashboards of Argo CD know. Returns who is to be told of each. */
export function createGitMetrics(registry: Registry): (request: GitRequest) => void {
  const labels = ['repo', 'request_type'];
  const requests = registry.counter({ name: 'argocd_git_request_total', help: 'Requests to git servers.', labels });
  const durations = registry.histogram({
    name: 'argocd_git_request_duration_seconds',
    help: 'Seconds that requests to git servers took.',
    labels,
    buckets: durationBuckets,
  });
  const failed = (name: string, help: string) => registry.counter({ name, help, labels: ['repo', 'revision'] });
  const failures = {
    'ls-remote': failed('argocd_git_lsremote_fail_total', 'Lists of refs that a git server did not give.'),
    fetch: failed('argocd_git_fetch_fail_total', 'Fetches that a git server did not answer.'),
  };
  return ({ repo, type, revision, durationMs, isFailed }) => {
    requests.add(1, repo, type);
    durations.at(repo, type).observe(durationMs / 1_000);
    if (isFailed) failures[type].add(1, repo, revision);
  };
}
