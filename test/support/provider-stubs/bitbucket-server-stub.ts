import { startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubWorld } from './stub-world.ts';

/** The REST API 1.0 of Bitbucket Server and Data Center. */
export function startBitbucketServerStub(world: StubWorld): Promise<ProviderStub> {
  const known = [`Bearer ${world.token}`, `Basic ${Buffer.from(`robot:${world.token}`).toString('base64')}`];
  return startProviderStub((request) => {
    const [rest, api, version, ...path] = request.path;
    if (`${rest}/${api}/${version}` !== 'rest/api/1.0') return undefined;
    if (!known.includes(request.headers.authorization ?? ''))
      return { status: 401, body: { errors: [{ message: 'Authentication failed' }] } };
    return answer(world, request, path);
  });
}

function answer(world: StubWorld, request: StubRequest, path: readonly string[]): StubAnswer | undefined {
  const { owner, repositories, pullRequests, pageSize } = world;
  const [projects, project, repos, slug, part, ...rest] = path;
  if (projects !== 'projects' || project !== owner || repos !== 'repos') return undefined;
  const list = (all: readonly unknown[]): StubAnswer => {
    const start = Number(request.url.searchParams.get('start') ?? 0);
    const isLastPage = start + pageSize >= all.length;
    const values = all.slice(start, start + pageSize);
    return { body: { values, size: values.length, isLastPage, start, ...(!isLastPage && { nextPageStart: start + pageSize }) } };
  };
  if (slug === undefined)
    return list(
      repositories.map(({ name, id }) => ({
        id,
        name: name.toUpperCase(),
        slug: name,
        project: { key: owner },
        links: {
          clone: [
            { name: 'http', href: `https://bitbucket.example.com/scm/${owner}/${name}.git` },
            { name: 'ssh', href: `ssh://git@bitbucket.example.com:7999/${owner}/${name}.git` },
          ],
        },
      })),
    );
  const repository = repositories.find(({ name }) => name === slug);
  if (repository === undefined) return undefined;
  const branchOf = (name: string) => ({ id: `refs/heads/${name}`, displayId: name, latestCommit: shaOf(repository.name, name) });
  const { defaultBranch, branches } = repository;
  if (part === 'branches' && rest[0] === 'default') return defaultBranch === undefined ? undefined : { body: branchOf(defaultBranch) };
  if (part === 'branches') return list(Object.keys(branches).map(branchOf));
  if (part === 'browse')
    return hasPath(branches[request.url.searchParams.get('at') ?? ''], rest.join('/')) ? { body: { type: 'FILE' } } : undefined;
  if (part !== 'pull-requests' || repository !== repositories[0]) return undefined;
  const pulls = pullRequests.map(({ number, title, branch, target, author }) => ({
    id: number,
    title,
    fromRef: { displayId: branch, latestCommit: shaOf(repository.name, branch) },
    toRef: { displayId: target },
    author: { user: { name: author } },
  }));
  return list(pulls);
}
