import { startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubWorld } from './stub-world.ts';

/** The Git API of Azure DevOps, of the organization `acme` and its project `store`. */
export function startAzureDevOpsStub(world: StubWorld): Promise<ProviderStub> {
  const known = `Basic ${Buffer.from(`:${world.token}`).toString('base64')}`;
  return startProviderStub((request) => {
    const [organization, project, apis, git, ...path] = request.path;
    if (organization !== world.owner || `${apis}/${git}` !== '_apis/git') return undefined;
    if (request.headers.authorization !== known) return { status: 401, body: { message: 'TF400813: The user is not authorized' } };
    if (project !== 'store') {
      const message = `TF200016: The following project does not exist: ${project ?? ''}. Verify that the name of the project is correct`;
      return { status: 404, body: { message, typeKey: 'ProjectDoesNotExistWithNameException' } };
    }
    return answer(world, request, path);
  });
}

function answer(world: StubWorld, request: StubRequest, path: readonly string[]): StubAnswer | undefined {
  const { repositories } = world;
  const { searchParams } = request.url;
  const [kind, name, ...rest] = path;
  if (kind === 'pullrequests') return listPullRequests(world, searchParams);
  if (kind !== 'repositories') return undefined;
  const listed = repositories.map((one) => ({
    id: uuidOf(one.id),
    name: one.name,
    remoteUrl: `https://acme@dev.azure.com/acme/store/_git/${one.name}`,
    ...(one.defaultBranch !== undefined && { defaultBranch: `refs/heads/${one.defaultBranch}` }),
  }));
  if (name === undefined) return { body: { count: listed.length, value: listed } };
  const repository = repositories.find((one) => one.name === name || uuidOf(one.id) === name);
  if (repository === undefined) return { status: 404, body: { message: 'TF401019', typeKey: 'GitRepositoryNotFoundException' } };
  const branchOf = (branch: string) => ({ name: branch, commit: { commitId: shaOf(repository.name, branch) } });
  if (rest.join('/') === 'stats/branches') {
    const branch = searchParams.get('name');
    if (branch === null) return { body: { value: Object.keys(repository.branches).map(branchOf) } };
    return Object.hasOwn(repository.branches, branch)
      ? { body: branchOf(branch) }
      : { status: 404, body: { message: 'no branch', typeKey: 'GitUnresolvableToCommitException' } };
  }
  const files = repository.branches[searchParams.get('versionDescriptor.version') ?? ''];
  if (hasPath(files, searchParams.get('path') ?? '')) return { body: { path: searchParams.get('path') } };
  return { status: 404, body: { message: 'TF401174: The item could not be found', typeKey: 'GitItemNotFoundException' } };
}

function listPullRequests({ pullRequests, repositories }: StubWorld, query: URLSearchParams): StubAnswer {
  const [skip, top] = [Number(query.get('$skip') ?? 0), Number(query.get('$top') ?? 100)];
  const own = pullRequests.map(({ number, title, branch, target, labels = [], author }) => ({
    pullRequestId: number,
    title,
    sourceRefName: `refs/heads/${branch}`,
    targetRefName: `refs/heads/${target}`,
    lastMergeSourceCommit: { commitId: shaOf(repositories[0]?.name ?? '', branch) },
    repository: { name: repositories[0]?.name },
    labels: labels.map((name) => ({ name, active: true })),
    createdBy: { uniqueName: `${author}@example.com` },
  }));
  // Those of the other repositories of the project are in the same list, and make it longer than a page.
  const others = Array.from({ length: 150 }, (_, index) => ({ ...own[0], pullRequestId: 1_000 + index, repository: { name: 'api' } }));
  return { body: { value: [...others, ...own].slice(skip, skip + top) } };
}

function uuidOf(id: number): string {
  return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
}
