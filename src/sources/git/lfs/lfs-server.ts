import { ApiError, Code, trimEndOf } from '../../../base/index.ts';
import { isOwnMachine } from '../../http/egress.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import { authorizationHeader } from '../git-access.ts';
import { GitError } from '../git.ts';
import type { Git } from '../git.ts';
import type { GitUrl } from '../git-url.ts';

/** Where the large files of a repository are asked for, and as whom. */
export interface LfsServer {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const ANSWER_BYTES_MAX = 64 << 10;

/** Beside the repository itself, unless it is reached by SSH: then its server says where, and gives a token for it. */
export async function findLfsServer(git: Git, access: RepositoryAccess, signal: AbortSignal | undefined): Promise<LfsServer> {
  const url = git.parseUrl(access.url);
  switch (url.transport) {
    case 'http':
    case 'https': {
      const signedIn = await signIn(git, access);
      return { url: besideRepository(url.url), authorization: authorizationHeader(signedIn, url), headers: {} };
    }
    case 'ssh':
      return readServer(await ask(git, access, signal), url);
    case 'file':
      throw new ApiError(Code.Unimplemented, 'git LFS is supported for repositories of servers only, and this one is a folder');
  }
}

async function signIn(git: Git, access: RepositoryAccess): Promise<RepositoryAccess> {
  try {
    return await git.signIn(access);
  } catch (error) {
    throw error instanceof GitError ? refuse(error.message) : error;
  }
}

async function ask(git: Git, access: RepositoryAccess, signal: AbortSignal | undefined): Promise<Buffer> {
  try {
    return await git.askForLfs(access, { signal });
  } catch (error) {
    if (error instanceof GitError) throw refuse(`the server does not say where its large files are: ${error.message}`);
    throw error;
  }
}

/** Nothing of what the server said is in an error: there is a token in it. */
function readServer(answer: Buffer, url: GitUrl): LfsServer {
  const fields = answer.length > ANSWER_BYTES_MAX ? undefined : parse(answer.toString('utf8'));
  if (fields === undefined) throw refuse('what the server says about its large files cannot be read');
  const { href, header } = fields;
  const text = typeof href === 'string' && href !== '' ? href : besideRepository(`https://${url.host}${url.path}`);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || address.username !== '' || !(address.protocol === 'https:' || isPlainHere(address)))
    throw refuse('the server keeps its large files at an address that is not https');
  const headers = typeof header === 'object' && header !== null ? Object.entries(header) : [];
  const texts = headers.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { url: trimEndOf(text, '/'), authorization: undefined, headers: Object.fromEntries(texts) };
}

function isPlainHere({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && isOwnMachine(hostname);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function besideRepository(url: string): string {
  const bare = trimEndOf(url, '/');
  return `${bare}${bare.endsWith('.git') ? '' : '.git'}/info/lfs`;
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.Unknown, `git LFS: ${reason}`);
}
