import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { withPrivateFolder } from '../private-folder.ts';
import { ToolError } from '../process/tool-error.ts';
import type { ToolResult, ToolRunner } from '../process/tool-runner.ts';

export interface GpgOptions {
  readonly runner: ToolRunner;
  readonly gpg: string;
  readonly searchPath: string;
  /** Where private folders are made. */
  readonly privateFolder: string;
}

export interface Keyring {
  /** What GnuPG takes for its home. */
  readonly home: string;
  readonly gpg: (args: readonly string[], input?: string) => Promise<ToolResult>;
}

/**
 * Lends a home of GnuPG that only has the installation's own keys, and those are trusted: which of them may sign is for the policy to
 * say.
 */
export async function withKeyring<Result>(
  options: GpgOptions,
  keys: ReadonlyMap<string, string>,
  use: (keyring: Keyring) => Promise<Result>,
): Promise<Result> {
  return await withPrivateFolder(options.privateFolder, async (home) => {
    await writeFile(join(home, 'gpg.conf'), 'trust-model always\nno-autostart\nbatch\nno-auto-key-retrieve\n');
    const gpg: Keyring['gpg'] = (args, input) => runGpg(options, home, args, input);
    const armoured = [...keys.values()].join('\n');
    // Keys that it cannot read are as good as none: what they signed is then not in the keyring.
    if (armoured !== '') await gpg(['--quiet', '--import'], armoured);
    return await use({ home, gpg });
  });
}

async function runGpg(
  { runner, gpg, searchPath }: GpgOptions,
  home: string,
  args: readonly string[],
  input: string | undefined,
): Promise<ToolResult> {
  const env = { PATH: searchPath, GNUPGHOME: home, HOME: home, LC_ALL: 'C' };
  try {
    return await runner.run({ program: gpg, args, env, folder: home, ...(input !== undefined && { input }) });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ApiError(Code.FailedPrecondition, `signatures cannot be checked: the program gpg ${error.message}`);
  }
}
