import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { Logger } from '../../base/index.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { ToolError } from '../process/tool-error.ts';
import type { ToolResult, ToolRun, ToolRunner } from '../process/tool-runner.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { ToolPlaces } from '../sources.ts';
import { prepareAccess } from './git-access.ts';
import { describeGitFailure, shortenErrors } from './describe-git-failure.ts';
import { findAddresses, pinAddresses, Unreachable } from './git-egress.ts';
import { gitEnvironment } from './git-environment.ts';
import { parseGitUrl } from './git-url.ts';
import type { GitUrl } from './git-url.ts';
import { openSshDoor, pickSshProxy } from './ssh-door.ts';
import { SignInError } from '../sign-in/sign-in-error.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

export interface GitRun {
  readonly args: readonly string[];
  /** The bare repository that it works on; none for what only asks a server. */
  readonly repository?: string;
  readonly input?: string | Uint8Array;
  readonly respond?: NonNullable<ToolRun['respond']>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Git failed; the message is fit for a caller. */
export class GitError extends Error {
  readonly stderr: string;

  constructor(message: string, stderr: string) {
    super(message);
    this.name = 'GitError';
    this.stderr = stderr;
  }
}

export interface Git {
  parseUrl(url: string): GitUrl;
  /** The access with what git sends: where it has to be asked for at a provider, it is asked for. */
  signIn(access: RepositoryAccess): Promise<RepositoryAccess>;
  /** Runs git on what is here; throws a GitError where it fails. */
  local(run: GitRun): Promise<Buffer>;
  /** Runs git where it talks to a server: `args` get the URL, which is the only one that it may reach. */
  remote(access: RepositoryAccess, run: Omit<GitRun, 'args'> & { readonly args: (url: string) => readonly string[] }): Promise<Buffer>;
  /** Connects to the server's side of a fetch, and leaves the talking to the caller. */
  uploadPack(access: RepositoryAccess, run: Omit<GitRun, 'args' | 'repository'>): Promise<Buffer>;
  /** Asks a server that is reached by SSH where its large files are, and what opens them. */
  askForLfs(access: RepositoryAccess, run: Omit<GitRun, 'args' | 'repository'>): Promise<Buffer>;
}

export interface GitOptions {
  readonly runner: ToolRunner;
  readonly tools: ToolPlaces;
  /** Where private folders are made. */
  readonly folder: string;
  readonly allowFile: boolean;
  /** Whether repositories that nobody registered may be servers of this machine. */
  readonly allowOwnMachine: boolean;
  readonly signIn: SignIn;
  readonly log: Logger;
}

const WARNED_MAX = 1000;

export function createGit({ runner, tools, folder, allowFile, ...options }: GitOptions): Git {
  const parseUrl = (url: string): GitUrl => parseGitUrl(url, { allowFile });
  const warnedOf = new LruMap<string, true>(WARNED_MAX);

  async function signIn(access: RepositoryAccess): Promise<RepositoryAccess> {
    try {
      return await options.signIn(access, parseUrl(access.url));
    } catch (error) {
      throw error instanceof SignInError ? new GitError(`signing in failed: ${error.message}`, '') : error;
    }
  }

  async function reach(access: RepositoryAccess, url: GitUrl): Promise<readonly string[] | undefined> {
    try {
      return await findAddresses(access, url, { allowOwnMachine: options.allowOwnMachine, proxyEnvironment: tools.proxyEnvironment ?? {} });
    } catch (error) {
      throw error instanceof Unreachable ? new GitError(error.message, '') : error;
    }
  }

  /** Lends a way through the proxy of a repository that is reached by SSH, where it has one. */
  async function throughProxy(access: RepositoryAccess, url: GitUrl, use: (doorPort?: number) => Promise<Buffer>): Promise<Buffer> {
    const proxy = url.transport === 'ssh' ? pickSshProxy(access, url) : undefined;
    if (proxy?.kind === 'unusable') warnOfProxy(access);
    if (proxy?.kind !== 'socks') return await use();
    const door = await openSshDoor(proxy.url, url);
    try {
      return await use(door.port);
    } catch (error) {
      const failure = door.failure();
      throw error instanceof GitError && failure !== undefined ? new GitError(failure, '') : error;
    } finally {
      door.close();
    }
  }

  /** Once for each repository. */
  function warnOfProxy({ owner, url }: RepositoryAccess): void {
    const key = `${owner}\0${url}`;
    if (warnedOf.get(key) === true) return;
    warnedOf.set(key, true);
    options.log.warn('the proxy of a repository is not used: SSH goes through socks5 or socks5h, with a host and a port', { owner });
  }

  async function run(request: GitRun, more: { home: string; settings?: readonly (readonly [string, string])[] }): Promise<ToolResult> {
    const { args, repository, variables, ...rest } = request;
    const env = gitEnvironment({ searchPath: tools.searchPath, allowFile, variables: variables ?? {}, ...more });
    const place = repository === undefined ? [] : [`--git-dir=${repository}`];
    return await runner.run({ program: tools.git ?? 'git', args: [...place, ...args], env, folder: more.home, ...rest });
  }

  async function local(request: GitRun): Promise<Buffer> {
    return finish(request.args, await attempt(request.args, () => run(request, { home: '/' })));
  }

  const remote: Git['remote'] = async (access, { args, ...request }) => {
    const url = parseUrl(access.url);
    return await withPrivateFolder(folder, async (home) => {
      const { ssh = 'ssh', proxyEnvironment = {} } = tools;
      const addresses = await reach(access, url);
      const signedIn = await signIn(access);
      const words = args(url.url);
      return await throughProxy(access, url, async (doorPort) => {
        const prepared = await prepareAccess(signedIn, url, { folder: home, ssh, proxyEnvironment, addresses, doorPort });
        const settings = [...prepared.settings, ...pinAddresses(url, addresses)];
        const variables = { ...prepared.variables, ...request.variables };
        const result = await attempt(words, () => run({ ...request, args: words, variables }, { home, settings }));
        return finish(words, result, url);
      });
    });
  };

  const uploadPack: Git['uploadPack'] = async (access, request) => {
    const url = parseUrl(access.url);
    const variables = { GIT_PROTOCOL: 'version=2' };
    if (url.transport === 'file')
      return finish(
        ['upload-pack'],
        await attempt(['upload-pack'], () => run({ ...request, args: ['upload-pack', '--', url.path], variables }, { home: '/' })),
      );
    if (url.transport !== 'ssh') return await remote(access, { ...request, args: (bare) => [`remote-${url.transport}`, bare, bare] });
    return await overSsh(access, url, { ...request, variables, command: (place) => `git-upload-pack ${place}`, shown: 'upload-pack' });
  };

  /** Runs a command where the repository is. It is read by a shell there. */
  async function overSsh(access: RepositoryAccess, url: GitUrl, { command, shown, variables = {}, ...request }: SshRun): Promise<Buffer> {
    return await withPrivateFolder(folder, async (home) => {
      const program = tools.ssh ?? 'ssh';
      const addresses = await reach(access, url);
      const env = { PATH: tools.searchPath, HOME: home, LC_ALL: 'C', ...variables };
      return await throughProxy(access, url, async (doorPort) => {
        const { sshArgs } = await prepareAccess(access, url, { folder: home, ssh: program, proxyEnvironment: {}, addresses, doorPort });
        const args = [...sshArgs, '-o', 'SendEnv=GIT_PROTOCOL', ...sshTarget(url, command)];
        return finish([shown], await attempt(['ssh'], () => runner.run({ ...request, program, args, env, folder: home })), url);
      });
    });
  }

  const askForLfs: Git['askForLfs'] = async (access, request) =>
    await overSsh(access, parseUrl(access.url), {
      ...request,
      command: (place) => `git-lfs-authenticate ${place} download`,
      shown: 'lfs-authenticate',
    });

  return { parseUrl, signIn, local, remote, uploadPack, askForLfs };
}

type SshRun = Omit<GitRun, 'args' | 'repository'> & {
  /** With the path of the repository, quoted. */
  readonly command: (place: string) => string;
  /** As errors call it. */
  readonly shown: string;
};

function sshTarget({ host, port, path, username }: GitUrl, command: SshRun['command']): string[] {
  const name = host.replace(/^\[|\]$/g, '');
  // A path from the home folder is written `/~/x` in a URL.
  const place = path.startsWith('/~') ? path.slice(1) : path;
  const target = username === undefined ? name : `${username}@${name}`;
  return [...(port === undefined ? [] : ['-p', String(port)]), '--', target, command(`'${place.replaceAll("'", `'\\''`)}'`)];
}

async function attempt(args: readonly string[], run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    switch (error.failure) {
      case 'missing':
        throw new ApiError(Code.FailedPrecondition, 'the program git is not there: install git, or say where it is');
      case 'stopped':
        throw new ApiError(Code.Canceled, 'stopped');
      case 'busy':
        throw new ApiError(Code.ResourceExhausted, error.message);
      case 'unstartable':
      case 'ended':
        throw new ApiError(Code.ResourceExhausted, `\`git ${args[0] ?? ''}\` ${error.message}`);
      case 'timeout':
      case 'output':
      case 'memory':
        throw new GitError(`\`git ${args[0] ?? ''}\` ${error.message}`, shortenErrors(error.stderr));
    }
  }
}

function finish(args: readonly string[], { code, stdout, stderr }: ToolResult, url?: GitUrl): Buffer {
  if (code === 0) return stdout;
  const said = shortenErrors(stderr);
  throw new GitError(describeGitFailure({ command: args[0] ?? '', code, stderr: said, url }), said);
}
