import { stat } from 'node:fs/promises';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { resultKey } from '../results/result-cache.ts';
import type { ResultStore } from '../results/result-store.ts';
import { ToolError } from './tool-error.ts';
import type { ToolResult, ToolRunner } from './tool-runner.ts';

export interface RenderToolRun {
  /** `helm` or `kustomize`, as people know it. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** How the arguments are shown; what they are unless given. */
  readonly shownArgs?: readonly string[];
  /** Where it runs. */
  readonly folder: string;
  /** Folders of this machine that must not be shown. */
  readonly hidden: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Runs the programs that make manifests: a closed environment, a home of their own that is removed afterwards, and no network. */
export interface RenderTools {
  /** What it wrote; throws an ApiError in the words of the failure. */
  run(run: RenderToolRun): Promise<Buffer>;
  /** What the program says its version is: asked once, and again when another file is in its place. */
  identify(name: string, program: string, args: readonly string[]): Promise<ProgramIdentity>;
}

export interface ProgramIdentity {
  readonly version: string;
  /** Names what makes results: two builds of one version are not the same. */
  readonly id: string;
}

/** Where versions are kept that were asked for. */
export type VersionStore = Pick<ResultStore, 'read' | 'write'>;

/** The same question wherever Helm takes part, so that it is asked once. */
export function identifyHelm(tools: Pick<RenderTools, 'identify'>, program: string): Promise<ProgramIdentity> {
  return tools.identify('helm', program, ['version', '--template={{.Version}}']);
}

/** Where nobody listens: a tool that tries to reach the network through a proxy ends there. */
const NO_NETWORK = 'http://127.0.0.1:9';
const STDERR_SHOWN_MAX = 8_000;
const VERSION_LENGTH_MAX = 200;

export function createRenderTools(runner: ToolRunner, folder: string, store: VersionStore): RenderTools {
  const identities = new LruMap<string, Promise<ProgramIdentity>>(32);

  async function run(request: RenderToolRun): Promise<Buffer> {
    const { name, program, args, shownArgs = args, folder: place, hidden, env = {}, signal } = request;
    return await withPrivateFolder(folder, async (home) => {
      const shown = (text: string): string => hide(text, [...hidden, home]);
      const command = `\`${shown([name, ...shownArgs].join(' '))}\``;
      const result = await attempt(name, command, () =>
        runner.run({ program, args, folder: place, env: { ...closedEnvironment(home), ...env }, signal }),
      );
      if (result.code === 0) return result.stdout;
      const said = shown(result.stderr.trim()).slice(0, STDERR_SHOWN_MAX);
      throw new ApiError(Code.Unknown, `${command} failed exit status ${result.code}: ${said}`);
    });
  }

  async function ask(name: string, program: string, args: readonly string[]): Promise<string> {
    const output = await run({ name, program, args, folder: '/', hidden: [] });
    return output.toString('utf8').trim().slice(0, VERSION_LENGTH_MAX);
  }

  return {
    run,
    async identify(name, program, args) {
      // A program that is not there cannot be run either, which says what to do.
      const file = await stat(program).catch(() => undefined);
      const sizeBytes = file?.size ?? 0;
      const key = resultKey(['version', program, [...args], sizeBytes, file?.ino ?? 0, file?.mtimeMs ?? 0, file?.ctimeMs ?? 0]);
      const known = identities.get(key);
      if (known !== undefined) return await known;
      const identity = (async () => {
        const kept = file === undefined ? undefined : await store.read(key, 'kept');
        const version = kept ?? (await ask(name, program, args));
        if (kept === undefined && file !== undefined) await store.write(key, 'kept', version);
        return { version, id: `${version} ${sizeBytes}` };
      })();
      identities.set(key, identity);
      // A program that is not there may be installed later.
      identity.catch(() => identities.delete(key));
      return await identity;
    },
  };
}

function closedEnvironment(home: string): Record<string, string> {
  return {
    PATH: '',
    HOME: home,
    TMPDIR: home,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/data`,
    LC_ALL: 'C',
    HTTP_PROXY: NO_NETWORK,
    HTTPS_PROXY: NO_NETWORK,
    NO_PROXY: '',
  };
}

async function attempt(name: string, command: string, run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    switch (error.failure) {
      case 'missing':
        throw new ApiError(
          Code.FailedPrecondition,
          `the program ${name} is not there: install it with \`fairway tools install\` (in a checkout \`npm run tools\`), or where it is found on the PATH of the machine that Fairway runs on`,
        );
      case 'stopped':
        throw new ApiError(Code.Canceled, 'stopped');
      case 'busy':
        throw new ApiError(Code.ResourceExhausted, error.message);
      case 'unstartable':
      case 'ended':
        throw new ApiError(Code.ResourceExhausted, `${command} ${error.message}`);
      case 'timeout':
      case 'output':
      case 'memory':
        throw new ApiError(Code.Unknown, `${command} ${error.message}`);
    }
  }
}

/** Longer paths first, so that what is left of them tells nothing. */
function hide(text: string, paths: readonly string[]): string {
  let shown = text;
  for (const path of paths.toSorted((one, other) => other.length - one.length)) shown = shown.replaceAll(path, '<path to cached source>');
  return shown;
}
