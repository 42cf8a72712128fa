import { pageOf, startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubWorld } from './stub-world.ts';

/** Gitea's API, version 1. */
export function startGiteaStub(
  world: StubWorld,
  options: { readonly version?: string; readonly tellsTotal?: boolean } = {},
): Promise<ProviderStub> {
  const { version = '1.22.3', tellsTotal = true } = options;
  return startProviderStub((request) => {
    const [api, apiVersion, ...path] = request.path;
    if (`${api}/${apiVersion}` !== 'api/v1') return undefined;
    if (path.join('/') === 'version') return { body: { version } };
    if (request.headers.authorization !== `token ${world.token}`) return { status: 401, body: { message: 'token is required' } };
    return answer(world, request, { path, tellsTotal });
  });
}

function answer(
  world: StubWorld,
  request: StubRequest,
  { path, tellsTotal }: { readonly path: readonly string[]; readonly tellsTotal: boolean },
): StubAnswer | undefined {
  const { owner, repositories, pullRequests } = world;
  const [kind, first, second, part, ...rest] = path;
  const list = (all: readonly unknown[]): StubAnswer => {
    const { items } = pageOf(all, Number(request.url.searchParams.get('page') ?? 1), world.pageSize);
    return { headers: tellsTotal ? { 'x-total-count': String(all.length) } : {}, body: items };
  };
  if (kind === 'orgs' && first === owner && second === 'repos')
    return list(
      repositories.map(({ name, id, defaultBranch, archived = false }) => ({
        id,
        name,
        default_branch: defaultBranch ?? 'main',
        archived,
        ssh_url: `git@gitea.example.com:${owner}/${name}.git`,
        html_url: `https://gitea.example.com/${owner}/${name}`,
      })),
    );
  const repository = repositories.find(({ name }) => name === second);
  if (kind !== 'repos' || first !== owner || repository === undefined) return undefined;
  const branchOf = (name: string) => ({ name, commit: { id: shaOf(repository.name, name) } });
  const place = rest.join('/');
  if (part === 'labels') return list((repository.topics ?? []).map((name, id) => ({ id, name })));
  if (part === 'branches' && place === '') return list(Object.keys(repository.branches).map(branchOf));
  if (part === 'branches') return Object.hasOwn(repository.branches, place) ? { body: branchOf(place) } : undefined;
  if (part === 'contents')
    return hasPath(repository.branches[request.url.searchParams.get('ref') ?? ''], place) ? { body: { path: place } } : undefined;
  if (part !== 'pulls' || repository !== repositories[0]) return undefined;
  const pulls = pullRequests.map(({ number, title, branch, target, labels = [], author }) => ({
    number,
    title,
    head: { ref: branch, sha: shaOf(repository.name, branch) },
    base: { ref: target },
    labels: labels.map((name, id) => ({ id, name })),
    user: { login: author },
  }));
  return list(pulls);
}
