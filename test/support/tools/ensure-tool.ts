import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { goEnvironment, requireGo, toolFolder } from './go-toolchain.ts';
import { describeTool } from './tool.ts';
import type { ToolName } from './tool.ts';

/** The longest that building a tool from nothing may take. */
export const BUILD_LIMIT_MS = 20 * 60_000;

const OUTPUT_BYTES_MAX = 16 << 20;

/**
 * The path of a tool's program, built on first use from the module in the folder of its name and kept in the user's cache folder
 * under a name that changes with the module's files and the Go version. Several test files and several runs may ask at once.
 * Throws ToolMissing where Go is missing or too old.
 */
export async function ensureTool(name: ToolName): Promise<string> {
  const folder = join(cacheFolder(), 'tools', `${name}-${await hashInputs(name)}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  return await withBuildLock(
    `${folder}.lock`,
    async () => {
      if (!existsSync(program)) await build(name, program);
      return program;
    },
    BUILD_LIMIT_MS,
  );
}

function cacheFolder(): string {
  if (process.env['FAIRWAY_CACHE']) return process.env['FAIRWAY_CACHE'];
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'fairway');
}

async function hashInputs(name: ToolName): Promise<string> {
  const hash = createHash('sha256').update(`${requireGo(name)}\0${describeTool(name).linkerFlags}\0`);
  const files = (await readdir(toolFolder(name))).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file)).sort();
  for (const file of files) {
    const content = await readFile(join(toolFolder(name), file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds under a temporary name and renames, so that whoever sees the program sees all of it. */
async function build(name: ToolName, program: string): Promise<void> {
  const { linkerFlags, costOfColdBuild, package: target } = describeTool(name);
  process.stderr.write(`building the test tool ${name} once (${costOfColdBuild} where nothing is cached yet)\n`);
  const unfinished = `${program}.${randomUUID()}.unfinished`;
  const flags = ['build', '-buildvcs=false', '-ldflags', linkerFlags, '-o', unfinished, target];
  try {
    await run('go', flags, toolFolder(name));
    await rename(unfinished, program);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function run(command: string, flags: readonly string[], folder: string): Promise<void> {
  const options = { cwd: folder, env: goEnvironment(), timeout: BUILD_LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve, reject) => {
    execFile(command, flags, options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${command} ${flags.join(' ')} failed in ${folder}: ${error.killed ? 'time limit' : ''}\n${stdout}${stderr}`));
    });
  });
}
