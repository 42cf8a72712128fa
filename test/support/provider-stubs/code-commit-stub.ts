import { startProviderStub, type ProviderStub, type StubAnswer, type StubRequest } from './provider-stub.ts';
import type { StubWorld } from './stub-world.ts';

export interface CodeCommitStubOptions {
  /** Called with each request; answers with what is wrong with its signature. */
  readonly checkSignature: (request: StubRequest) => string | undefined;
  /** What STS gives to whoever asks for a role. */
  readonly role?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string };
}

/** CodeCommit, the tagging API and STS of AWS, at one address. */
export function startCodeCommitStub(world: StubWorld, { checkSignature, role }: CodeCommitStubOptions): Promise<ProviderStub> {
  return startProviderStub((request) => {
    const problem = checkSignature(request);
    if (problem !== undefined) return { status: 403, body: { __type: 'InvalidSignatureException', message: problem } };
    const target = String(request.headers['x-amz-target'] ?? '');
    if (target === '') return answerSts(request, role);
    const input = JSON.parse(request.body) as Record<string, unknown>;
    return answer(world, target.split('.')[1] ?? '', input) ?? { status: 400, body: { __type: 'UnknownOperationException' } };
  });
}

function answerSts({ body }: StubRequest, role: CodeCommitStubOptions['role']): StubAnswer {
  const action = new URLSearchParams(body).get('Action') ?? '';
  if (role === undefined) return { status: 403, body: { Error: { Code: 'AccessDenied' } } };
  const Credentials = { AccessKeyId: role.accessKeyId, SecretAccessKey: role.secretAccessKey, SessionToken: role.sessionToken };
  return { body: { [`${action}Response`]: { [`${action}Result`]: { Credentials } } } };
}

function answer(world: StubWorld, operation: string, input: Record<string, unknown>): StubAnswer | undefined {
  const { repositories, pageSize } = world;
  const page = <Item>(all: readonly Item[], token: unknown): { items: readonly Item[]; next: string | undefined } => {
    const from = Number(token ?? 0);
    return { items: all.slice(from, from + pageSize), next: from + pageSize < all.length ? String(from + pageSize) : undefined };
  };
  if (operation === 'ListRepositories') {
    const { items, next } = page(repositories, input['nextToken']);
    return { body: { repositories: items.map(({ name, id }) => ({ repositoryName: name, repositoryId: String(id) })), nextToken: next } };
  }
  if (operation === 'GetResources') {
    const [filter] = input['TagFilters'] as { Key: string; Values?: string[] }[];
    const wanted = repositories.filter(({ topics = [] }) => topics.some((topic) => filter?.Values?.includes(topic) ?? true));
    const { items, next } = page(wanted, input['PaginationToken'] || undefined);
    const list = items.map(({ name }) => ({ ResourceARN: `arn:aws:codecommit:eu-west-1:123456789012:${name}` }));
    return { body: { ResourceTagMappingList: list, PaginationToken: next ?? '' } };
  }
  const repository = repositories.find(({ name }) => name === input['repositoryName']);
  if (repository === undefined) return { status: 400, body: { __type: 'RepositoryDoesNotExistException', message: 'none' } };
  const { name, id, defaultBranch, branches } = repository;
  if (operation === 'GetRepository') {
    const urls = {
      cloneUrlHttp: `https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/${name}`,
      cloneUrlSsh: `ssh://git-codecommit.eu-west-1.amazonaws.com/v1/repos/${name}`,
    };
    return {
      body: { repositoryMetadata: { accountId: '123456789012', repositoryId: `id-${id}`, repositoryName: name, defaultBranch, ...urls } },
    };
  }
  if (operation === 'ListBranches') {
    const { items, next } = page(Object.keys(branches), input['nextToken']);
    return { body: { branches: items, nextToken: next } };
  }
  if (operation !== 'GetFolder') return undefined;
  const folder = String(input['folderPath']).replace(/^\/|\/$/g, '');
  const below = (branches[String(input['commitSpecifier'])] ?? []).filter((file) => folder === '' || file.startsWith(`${folder}/`));
  if (below.length === 0) return { status: 400, body: { __type: 'com.amazonaws#FolderDoesNotExistException', message: 'none' } };
  const names = below.map((file) => (folder === '' ? file : file.slice(folder.length + 1)));
  const relative = (names_: string[]) => [...new Set(names_)].map((relativePath) => ({ relativePath }));
  const files = relative(names.filter((one) => !one.includes('/')));
  const subFolders = relative(names.filter((one) => one.includes('/')).map((one) => one.split('/')[0] ?? ''));
  return { body: { commitId: '1'.repeat(40), folderPath: folder, files, subFolders, symbolicLinks: [], subModules: [] } };
}
