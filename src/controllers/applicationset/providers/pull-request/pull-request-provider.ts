/** A pull request that is open, or in whichever state the generator asks for. */
export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly targetBranch: string;
  readonly headSha: string;
  readonly labels: readonly string[];
  readonly author: string;
}

/** Lists all pull requests of one repository, or throws; a RepositoryNotFound where there is no such repository. */
export type ListPullRequests = () => Promise<readonly PullRequest[]>;

/** Whether all the wanted labels are there. */
export function hasLabels(labels: readonly string[], wanted: readonly string[] | undefined): boolean {
  return (wanted ?? []).every((label) => labels.includes(label));
}
