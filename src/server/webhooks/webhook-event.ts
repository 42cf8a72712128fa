/** Somebody moved a branch or a tag. */
export interface PushEvent {
  readonly type: 'push';
  /** The addresses of the repository, as browsers or clients write them. */
  readonly repositories: readonly string[];
  /** The branch or tag, without `refs/heads/` or `refs/tags/`. */
  readonly revision: string;
  /** Whether it is the branch that `HEAD` stands for; true where the payload does not say. */
  readonly touchesHead: boolean;
  /** Paths from the root of the repository; undefined where not all of them are known. */
  readonly changedFiles: ReadonlySet<string> | undefined;
}

/** Somebody published an image or an artifact in a registry. */
export interface PackageEvent {
  readonly type: 'package';
  /** For example `oci://ghcr.io/acme/shop`. */
  readonly repository: string;
  readonly tag: string;
}

/** A pull request was opened, changed or closed. */
export type PullRequestEvent = { readonly type: 'pull-request' } & (
  | { readonly provider: 'github'; readonly owner: string; readonly repository: string; readonly apiHost: string }
  /** `projects`: its number and its path, each as a text. */
  | { readonly provider: 'gitlab'; readonly projects: readonly string[]; readonly host: string }
  | { readonly provider: 'azuredevops'; readonly project: string; readonly repository: string }
  | { readonly provider: 'gitea'; readonly owner: string; readonly repository: string; readonly host: string }
  | { readonly provider: 'bitbucket'; readonly owner: string; readonly repository: string }
  | { readonly provider: 'bitbucketServer'; readonly project: string; readonly repository: string }
);

/** What a webhook tells, in the same words whoever sent it. */
export type WebhookEvent = PushEvent | PackageEvent | PullRequestEvent;

/** More files than this are as good as all of them. */
const changedFilesMax = 10_000;

/** The set, or undefined where there are none or too many to be worth keeping. */
export function boundFiles(files: Iterable<string>): ReadonlySet<string> | undefined {
  const kept = new Set<string>();
  for (const file of files) {
    kept.add(file);
    if (kept.size > changedFilesMax) return undefined;
  }
  return kept.size === 0 ? undefined : kept;
}
