import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFairway } from './fairway.ts';
import type { Fairway } from './fairway.ts';
import { runCommand } from './run-command.ts';
import type { CommandResult } from './run-command.ts';

/** A person with the stock kubectl, a home folder of their own, and a kubeconfig that the program printed. */
export interface KubectlUser extends AsyncDisposable {
  run(...args: readonly string[]): Promise<CommandResult>;
  /** A file with this content, for `-f`. */
  write(name: string, content: string): Promise<string>;
}

export async function createKubectlUser(program: string, fairway: Fairway): Promise<KubectlUser> {
  const home = await mkdtemp(join(tmpdir(), 'kubectl-user-'));
  const tls = fairway.url.startsWith('https:') ? 'on' : 'off';
  const printed = await runFairway(['kubeconfig', '--listen', fairway.address, '--data', fairway.dataDir, '--tls', tls], {
    FAIRWAY_ADMIN_PASSWORD: fairway.adminPassword,
  });
  if (printed.code !== 0) throw new Error(`fairway kubeconfig failed: ${printed.stderr}`);
  const kubeconfig = join(home, 'kubeconfig');
  await writeFile(kubeconfig, printed.stdout, { mode: 0o600 });
  const env = { HOME: home, KUBECONFIG: kubeconfig, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
  return {
    run: (...args) => runCommand(program, args, env),
    write: async (name, content) => {
      const file = join(home, name);
      await writeFile(file, content);
      return file;
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
