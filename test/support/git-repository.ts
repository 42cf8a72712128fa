import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a commit changes: contents by path; undefined removes, and a link points somewhere. */
export type FileChanges = Readonly<Record<string, string | Uint8Array | { readonly link: string } | undefined>>;

/** A real repository with a work tree, in a folder of its own. */
export interface GitRepository {
  readonly folder: string;
  /** `file://…` */
  readonly url: string;
  /** Commits on the current branch, and answers with the commit. */
  commit(changes: FileChanges, message?: string): Promise<string>;
  /** Runs git in the work tree, and answers with its output. */
  git(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function createGitRepository(changes: FileChanges = {}): Promise<GitRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'git-repository-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada Test',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada Test',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', ['-c', 'protocol.file.allow=always', ...args], { cwd: folder, env, maxBuffer: 64 << 20 })).stdout.trim();
  const repository: GitRepository = {
    folder,
    url: `file://${folder}`,
    git,
    async commit(files, message = 'Change files') {
      for (const [path, content] of Object.entries(files)) await place(join(folder, path), content);
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--allow-empty', '--message', message);
      return await git('rev-parse', 'HEAD');
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  await git('init', '--quiet', '--initial-branch=main');
  if (Object.keys(changes).length > 0) await repository.commit(changes, 'Begin');
  return repository;
}

async function place(path: string, content: FileChanges[string]): Promise<void> {
  await rm(path, { recursive: true, force: true });
  if (content === undefined) return;
  await mkdir(dirname(path), { recursive: true });
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
  else await symlink(content.link, path);
}

/** A small manifest. */
export function configMap(name: string, data: Readonly<Record<string, string>> = { key: 'value' }): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}
