import { pageOf, startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubRepository, type StubWorld } from './stub-world.ts';

/** GitLab's API, version 4. */
export function startGitlabStub(world: StubWorld): Promise<ProviderStub> {
  return startProviderStub((request) => {
    const [api, version, ...path] = request.path;
    if (`${api}/${version}` !== 'api/v4') return undefined;
    if (request.headers['private-token'] !== world.token) return { status: 401, body: { message: '401 Unauthorized' } };
    return answer(world, request, path);
  });
}

function answer(world: StubWorld, request: StubRequest, path: readonly string[]): StubAnswer | undefined {
  const { owner, repositories } = world;
  const [kind, first = '', ...rest] = path;
  if (kind === 'groups' && first === owner && rest.join('/') === 'projects') return listProjects(world, request);
  const repository = repositories.find(({ name, id }) => first === String(id) || first === `${owner}/${name}`);
  if (kind !== 'projects' || repository === undefined) return undefined;
  if (rest.length === 0) return { body: describe(owner, repository) };
  if (rest[0] === 'merge_requests') return listMergeRequests(world, request, repository);
  const [, part, name = ''] = rest;
  const { searchParams } = request.url;
  const branchOf = (branch: string) => ({ name: branch, commit: { id: shaOf(repository.name, branch) } });
  const files = repository.branches[searchParams.get('ref') ?? ''];
  if (part === 'branches' && name === '') return list(world, request, Object.keys(repository.branches).map(branchOf));
  if (part === 'branches') return Object.hasOwn(repository.branches, name) ? { body: branchOf(name) } : undefined;
  if (part === 'files') return files?.includes(name) === true ? { body: { file_path: name } } : undefined;
  const below = hasPath(files, searchParams.get('path') ?? '') ? [{ path: searchParams.get('path') }] : [];
  return part === 'tree' && below.length > 0 ? { body: below } : undefined;
}

function listProjects(world: StubWorld, request: StubRequest): StubAnswer {
  const { searchParams } = request.url;
  const [topic, archived] = [searchParams.get('topic'), searchParams.get('archived')];
  const wanted = world.repositories
    .filter(({ topics = [] }) => topic === null || topics.includes(topic))
    .filter((one) => archived === null || one.archived === true);
  return list(
    world,
    request,
    wanted.map((one) => describe(world.owner, one)),
  );
}

function listMergeRequests(world: StubWorld, request: StubRequest, repository: StubRepository): StubAnswer {
  const { searchParams } = request.url;
  const wanted = searchParams.get('labels')?.split(',') ?? [];
  const state = searchParams.get('state') ?? 'opened';
  const requests = world.pullRequests
    .filter(({ labels = [] }) => state === 'opened' && wanted.every((label) => labels.includes(label)))
    .map(({ number, title, branch, target, labels = [], author }) => ({
      id: 9_000 + number,
      iid: number,
      title,
      source_branch: branch,
      target_branch: target,
      sha: shaOf(repository.name, branch),
      labels,
      author: { username: author },
    }));
  return list(world, request, requests);
}

function describe(owner: string, { name, id, defaultBranch, topics = [], archived = false }: StubRepository) {
  const urls = {
    ssh_url_to_repo: `git@gitlab.example.com:${owner}/${name}.git`,
    http_url_to_repo: `https://gitlab.example.com/${owner}/${name}.git`,
  };
  return {
    id,
    name,
    path: name,
    namespace: { full_path: owner },
    default_branch: defaultBranch ?? null,
    topics,
    tag_list: topics,
    archived,
    ...urls,
  };
}

function list(world: StubWorld, { url }: StubRequest, all: readonly unknown[]): StubAnswer {
  const page = Number(url.searchParams.get('page') ?? 1);
  const { items, isLast } = pageOf(all, page, world.pageSize);
  const headers = {
    'x-page': String(page),
    'x-next-page': isLast ? '' : String(page + 1),
    'x-total-pages': String(Math.ceil(all.length / world.pageSize)),
  };
  return { headers, body: items };
}
