import { pageOf, startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import { hasPath, shaOf, type StubWorld } from './stub-world.ts';

/** The API 2.0 of Bitbucket Cloud. */
export function startBitbucketCloudStub(world: StubWorld): Promise<ProviderStub> {
  const known = [`Bearer ${world.token}`, `Basic ${Buffer.from(`robot:${world.token}`).toString('base64')}`];
  return startProviderStub((request) => {
    const [version, kind, ...path] = request.path;
    if (`${version}/${kind}` !== '2.0/repositories') return undefined;
    if (!known.includes(request.headers.authorization ?? '')) return { status: 401, body: { error: { message: 'Access denied' } } };
    return answer(world, request, path);
  });
}

function answer(world: StubWorld, request: StubRequest, path: readonly string[]): StubAnswer | undefined {
  const { owner, repositories, pullRequests, pageSize } = world;
  const [workspace, slug, ...rest] = path;
  if (workspace !== owner) return undefined;
  const list = (all: readonly unknown[]): StubAnswer => {
    const page = Number(request.url.searchParams.get('page') ?? 1);
    const { items, isLast } = pageOf(all, page, pageSize);
    const next = new URL(request.url.pathname + request.url.search, `http://${request.headers.host ?? ''}`);
    next.searchParams.set('page', String(page + 1));
    return { body: { pagelen: pageSize, page, size: all.length, values: items, ...(!isLast && { next: next.href }) } };
  };
  if (slug === undefined)
    return list(
      repositories.map(({ name, id, defaultBranch }) => ({
        uuid: `{${id}}`,
        slug: name,
        name,
        mainbranch: defaultBranch === undefined ? null : { name: defaultBranch },
        links: {
          clone: [
            { name: 'https', href: `https://bitbucket.org/${owner}/${name}.git` },
            { name: 'ssh', href: `git@bitbucket.org:${owner}/${name}.git` },
          ],
        },
      })),
    );
  const repository = repositories.find(({ name }) => name === slug);
  if (repository === undefined) return { status: 404, body: { type: 'error', error: { message: 'Repository not found' } } };
  const branchOf = (name: string) => ({ name, target: { hash: shaOf(repository.name, name) } });
  const place = rest.slice(2).join('/');
  if (rest[0] === 'refs' && place === '') return list(Object.keys(repository.branches).map(branchOf));
  if (rest[0] === 'refs') return Object.hasOwn(repository.branches, place) ? { body: branchOf(place) } : undefined;
  if (rest[0] === 'src') {
    const [branch] = Object.keys(repository.branches).filter((name) => shaOf(repository.name, name) === rest[1]);
    return hasPath(repository.branches[branch ?? ''], place) ? { body: { path: place } } : undefined;
  }
  if (rest[0] !== 'pullrequests' || repository !== repositories[0]) return undefined;
  const pulls = pullRequests.map(({ number, title, branch, target, author }) => ({
    id: number,
    title,
    source: { branch: { name: branch }, commit: { hash: shaOf(repository.name, branch) } },
    destination: { branch: { name: target } },
    author: { nickname: author },
  }));
  return list(pulls);
}
