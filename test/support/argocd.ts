import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import type { CommandResult } from './run-command.ts';

/** A person at a machine of their own: the stock client with a home folder in which it keeps where it is signed in. */
export interface ArgocdUser extends AsyncDisposable {
  /** Runs one command with its standard input closed. */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** The client's own file of servers and tokens. */
  readConfig(): Promise<string>;
}

/** `variables` are added to the clean environment that the client runs in. */
export async function createArgocdUser(program: string, variables: Readonly<Record<string, string>> = {}): Promise<ArgocdUser> {
  const home = await mkdtemp(join(tmpdir(), 'argocd-user-'));
  const env = { HOME: home, ARGOCD_CONFIG_DIR: join(home, 'config'), PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...variables };
  return {
    run: (...args) => runCommand(program, args, env),
    readConfig: () => readFile(join(home, 'config', 'config'), 'utf8'),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
