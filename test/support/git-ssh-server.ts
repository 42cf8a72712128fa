import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface GitSshServer {
  readonly port: number;
  /** As a line of known_hosts. */
  readonly knownHosts: string;
  /** The key that may come in. */
  readonly privateKey: string;
  close(): Promise<void>;
}

/** A real SSH server with the repositories of a folder; `program` is the tool of that name. */
export async function startGitSshServer(program: string, root: string): Promise<GitSshServer> {
  const { privateKey, publicKey } = await makeSshKey();
  const child = spawn(program, [root, publicKey], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { port, hostKey } = JSON.parse(line) as { port: number; hostKey: string };
  return {
    port,
    knownHosts: `[127.0.0.1]:${port} ${hostKey}\n`,
    privateKey,
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

export async function makeSshKey(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ssh-key-'));
  try {
    const file = join(folder, 'key');
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
    return { privateKey: await readFile(file, 'utf8'), publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
