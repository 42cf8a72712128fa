import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError, Code } from '../../base/index.ts';
import { folderOfProgram, renderPrograms } from './programs.ts';
import type { RenderProgram } from './programs.ts';

export interface InstallOptions {
  /** The user's folder for what can be had again. */
  readonly cache: string;
  /** Only these; all of them where none is named. */
  readonly names: readonly string[];
  /** What the compiler runs with: where it is found, from where modules come, where it keeps its own cache. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

const BUILD_LIMIT_MS = 30 * 60_000;
const VERSION_LIMIT_MS = 60_000;
const OUTPUT_BYTES_MAX = 16 << 20;
const SHOWN_MAX = 2_000;

/**
 * Gets the programs that render sources: built by the machine's own Go from modules whose every part has a checksum here, and kept.
 * Throws an ApiError that says what to do instead.
 */
export async function installPrograms({ cache, names, environment, say }: InstallOptions): Promise<void> {
  const unknown = names.find((name) => renderPrograms.every((program) => program.name !== name));
  if (unknown !== undefined)
    throw new ApiError(Code.InvalidArgument, `there is no tool ${unknown}; there are ${renderPrograms.map(({ name }) => name).join(', ')}`);
  for (const program of renderPrograms) {
    if (names.length > 0 && !names.includes(program.name)) continue;
    const place = join(folderOfProgram(cache, program), program.name);
    if (existsSync(place)) say(`${program.name} ${program.version} is there: ${place}`);
    else {
      say(`${program.name} ${program.version} is being built, which takes a few minutes the first time`);
      await install(program, cache, environment);
      say(`${program.name} ${program.version}: ${place}`);
    }
  }
}

/** Built beside its place and moved there when it has said its version, so that whoever sees it sees a whole one. */
async function install(program: RenderProgram, cache: string, environment: InstallOptions['environment']): Promise<void> {
  const folder = folderOfProgram(cache, program);
  await mkdir(join(folder, '..'), { recursive: true });
  const unfinished = await mkdtemp(join(folder, '..', 'unfinished-'));
  try {
    const built = join(unfinished, program.name);
    await build(program, built, environment);
    const { failure, output } = await run(built, ['version'], { folder: unfinished, env: { HOME: unfinished }, limitMs: VERSION_LIMIT_MS });
    if (failure !== undefined || !output.includes(program.version))
      throw new ApiError(Code.Internal, `what was built is not ${program.name} ${program.version}: ${output.slice(0, SHOWN_MAX)}`);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process was quicker.
      if (!existsSync(join(folder, program.name))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function build(program: RenderProgram, place: string, environment: InstallOptions['environment']): Promise<void> {
  const folder = fileURLToPath(new URL(`./modules/${program.name}/`, import.meta.url));
  const args = ['build', '-buildvcs=false', '-ldflags', program.linkerFlags, '-o', place, program.package];
  // Nothing is fetched that the module does not name with its checksum. An older Go may get the one that the module asks for.
  const env = { ...environment, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'auto' };
  const { failure, output } = await run('go', args, { folder, env, limitMs: BUILD_LIMIT_MS });
  if (failure === undefined) return;
  const otherwise = `install ${program.name} ${program.version} where it is found on the PATH instead`;
  if (failure === 'missing')
    throw new ApiError(Code.FailedPrecondition, `Go is not installed, which ${program.name} is built with: ${otherwise}`);
  throw new ApiError(Code.Unavailable, `${program.name} could not be built; ${otherwise}. Go said:\n${output.slice(-SHOWN_MAX)}`);
}

interface Run {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
}

function run(
  program: string,
  args: readonly string[],
  { folder, env, limitMs }: Run,
): Promise<{ failure: 'missing' | 'failed' | undefined; output: string }> {
  const options = { cwd: folder, env, timeout: limitMs, maxBuffer: OUTPUT_BYTES_MAX, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const failure = error === null ? undefined : error.code === 'ENOENT' ? 'missing' : 'failed';
      resolve({ failure, output: `${stdout}${stderr}`.trim() });
    });
  });
}
