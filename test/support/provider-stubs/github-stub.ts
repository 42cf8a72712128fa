import { pageOf, startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubWorld } from './stub-world.ts';

/** GitHub's REST API, as a server of one's own has it (below `/api/v3`). */
export function startGithubStub(
  world: StubWorld,
  options: { readonly app?: { readonly installation: string } } = {},
): Promise<ProviderStub> {
  return startProviderStub((request) => {
    const [api, version, ...path] = request.path;
    if (`${api}/${version}` !== 'api/v3') return undefined;
    if (options.app !== undefined && path.join('/') === `app/installations/${options.app.installation}/access_tokens`)
      return { status: 201, body: { token: world.token, expires_at: new Date(Date.now() + 3_600_000).toISOString() } };
    if (request.headers.authorization !== `Bearer ${world.token}`) return { status: 401, body: { message: 'Bad credentials' } };
    return answer(world, request, path);
  });
}

function answer(world: StubWorld, request: StubRequest, path: readonly string[]): StubAnswer | undefined {
  const { owner, repositories, pullRequests } = world;
  const [kind, first, second, part, ...rest] = path;
  if (kind === 'orgs' && first === owner && second === 'repos')
    return list(
      world,
      request,
      repositories.map((one) => describe(owner, one)),
    );
  const repository = repositories.find(({ name }) => name === second);
  if (kind !== 'repos' || first !== owner || repository === undefined) return undefined;
  const branchOf = (name: string) => ({ name, commit: { sha: shaOf(repository.name, name), url: '' }, protected: false });
  if (part === 'branches' && rest.length === 0) return list(world, request, Object.keys(repository.branches).map(branchOf));
  if (part === 'branches') return Object.hasOwn(repository.branches, rest.join('/')) ? { body: branchOf(rest.join('/')) } : undefined;
  if (part === 'contents')
    return hasPath(repository.branches[request.url.searchParams.get('ref') ?? ''], rest.join('/'))
      ? { body: { path: rest.join('/') } }
      : undefined;
  if (part !== 'pulls' || repository !== repositories[0]) return undefined;
  const pulls = pullRequests.map(({ number, title, branch, target, labels = [], author }) => ({
    number,
    title,
    state: 'open',
    head: { ref: branch, sha: shaOf(repository.name, branch) },
    base: { ref: target },
    labels: labels.map((name, id) => ({ id, name })),
    user: { login: author },
  }));
  return list(world, request, pulls);
}

function describe(owner: string, { name, id, defaultBranch, topics = [], archived = false }: StubWorld['repositories'][number]) {
  const urls = { ssh_url: `git@github.example.com:${owner}/${name}.git`, clone_url: `https://github.example.com/${owner}/${name}.git` };
  return {
    id,
    name,
    full_name: `${owner}/${name}`,
    owner: { login: owner },
    default_branch: defaultBranch ?? 'main',
    topics,
    archived,
    ...urls,
  };
}

function list(world: StubWorld, { url, headers }: StubRequest, all: readonly unknown[]): StubAnswer {
  const page = Number(url.searchParams.get('page') ?? 1);
  const { items, isLast } = pageOf(all, page, world.pageSize);
  const next = new URL(url.pathname + url.search, `http://${headers.host ?? ''}`);
  next.searchParams.set('page', String(page + 1));
  const first = new URL(next);
  first.searchParams.set('page', '1');
  const link = [`<${first.href}>; rel="first"`, ...(isLast ? [] : [`<${next.href}>; rel="next"`])].join(', ');
  return { headers: { link }, body: items };
}
