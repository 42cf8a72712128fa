import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTool, ToolMissing } from './tool.ts';
import type { ToolName } from './tool.ts';

/** What every Go command runs with: nothing is fetched or changed that the committed go.mod and go.sum do not name. */
export function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' };
}

/** The version of the machine's Go, for example `go1.26.8`; throws ToolMissing where there is none or it is too old for the tool. */
export function requireGo(tool: ToolName): string {
  const result = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env: goEnvironment(), timeout: 30_000 });
  if (result.error !== undefined && 'code' in result.error && result.error.code === 'ENOENT')
    throw new ToolMissing(tool, 'go is not installed');
  if (result.status !== 0) throw new ToolMissing(tool, `go does not run: ${result.error?.message ?? result.stderr}`);
  const version = result.stdout.trim();
  const needed = /^go (\S+)$/m.exec(readFileSync(join(toolFolder(tool), 'go.mod'), 'utf8'))?.[1] ?? '0';
  if (isOlder(version.replace(/^go/, ''), needed)) throw new ToolMissing(tool, `it needs go ${needed} or newer, and this is ${version}`);
  return version;
}

export function toolFolder(tool: ToolName): string {
  return join(import.meta.dirname, describeTool(tool).module);
}

function isOlder(version: string, needed: string): boolean {
  const have = version.split(/[.-]/).map(Number);
  for (const [index, part] of needed.split('.').map(Number).entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
