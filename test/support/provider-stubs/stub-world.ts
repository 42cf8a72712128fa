/** What there is at a stub of a provider. */
export interface StubRepository {
  readonly name: string;
  readonly id: number;
  /** Undefined for one that nobody has pushed to. */
  readonly defaultBranch?: string;
  /** Files by branch. */
  readonly branches: Readonly<Record<string, readonly string[]>>;
  readonly topics?: readonly string[];
  readonly archived?: boolean;
}

export interface StubPullRequest {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly target: string;
  readonly labels?: readonly string[];
  readonly author: string;
}

export interface StubWorld {
  readonly owner: string;
  readonly repositories: readonly StubRepository[];
  /** Of the first repository. */
  readonly pullRequests: readonly StubPullRequest[];
  /** What providers give at once, so that lists have pages. */
  readonly pageSize: number;
  /** What callers must know. */
  readonly token: string;
}

export const world: StubWorld = {
  owner: 'acme',
  token: 'stub-token-0123456789',
  pageSize: 2,
  repositories: [
    {
      name: 'shop',
      id: 101,
      defaultBranch: 'main',
      branches: { main: ['deploy/app.yaml', 'README.md'], 'feature/one': ['README.md'], old: [] },
      topics: ['web', 'team-a'],
    },
    { name: 'api', id: 102, defaultBranch: 'main', branches: { main: ['deploy/app.yaml'] }, topics: ['team-b'] },
    { name: 'attic', id: 103, defaultBranch: 'master', branches: { master: ['README.md'] }, archived: true },
    { name: 'tools', id: 104, defaultBranch: 'main', branches: { main: ['README.md'] } },
    { name: 'worker', id: 105, defaultBranch: 'trunk', branches: { trunk: ['deploy/app.yaml'], next: [] }, topics: ['team-a'] },
  ],
  pullRequests: [
    { number: 1, title: 'Add login', branch: 'feat/Add_Login', target: 'main', labels: ['preview', 'ui'], author: 'ada' },
    { number: 2, title: 'Fix it', branch: 'fix-it', target: 'release-1', labels: [], author: 'grace' },
    { number: 3, title: 'Draft', branch: 'draft', target: 'main', labels: ['preview'], author: 'ada' },
    { number: 5, title: 'Later', branch: 'later', target: 'main', labels: ['ui'], author: 'alan' },
  ],
};

/** The commit at the tip of a branch: the same for all stubs. */
export function shaOf(repository: string, branch: string): string {
  return Buffer.from(`${repository}:${branch}`.padEnd(20, '.')).toString('hex').slice(0, 40);
}

/** Whether there is a file or a folder. */
export function hasPath(files: readonly string[] | undefined, path: string): boolean {
  return (files ?? []).some((file) => file === path || file.startsWith(`${path}/`));
}
