/** Somebody who looks after projects with the stock client. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AppProject } from '../../src/model/index.ts';
import { createArgocdUser } from './argocd.ts';
import { startFairway } from './fairway.ts';

/** The client's exit codes for an error of the server, and for one of its own. */
export const EXIT_API_ERROR = 20;
export const EXIT_CLIENT_ERROR = 1;

export interface ProjectUser {
  /** For files. */
  readonly folder: string;
  /** Runs a command that must succeed; what it said. */
  says(...args: readonly string[]): Promise<string>;
  /** The same for `argocd proj`. */
  proj(...args: readonly string[]): Promise<string>;
  /** Runs a command that must fail like this; what it said. */
  fails(code: number, ...args: readonly string[]): Promise<string>;
  get(name: string): Promise<AppProject>;
  close(): Promise<void>;
}

/** A program of their own, started with these arguments, and somebody signed in to it as the administrator. */
export async function openProjectUser(argocd: string, args: readonly string[] = []): Promise<ProjectUser> {
  const folder = await mkdtemp(join(tmpdir(), 'fairway-proj-'));
  const editor = join(folder, 'editor');
  await writeFile(editor, '#!/bin/sh\nsed -i "s/^description: .*/description: Edited/" "$1"\n');
  await chmod(editor, 0o755);
  const fairway = await startFairway({ args });
  const user = await createArgocdUser(argocd, { EDITOR: editor, TZ: 'UTC' });

  async function says(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...words);
    expect({ args: words, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args: words, code: 0, said: '' });
    // What it reports about lists goes to its standard error.
    return `${stdout}${stderr}`;
  }

  const proj = (...args: readonly string[]): Promise<string> => says('proj', ...args);
  await says('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  return {
    folder,
    says,
    proj,
    async fails(code, ...args) {
      const result = await user.run(...args);
      expect({ args, code: result.code }).toEqual({ args, code });
      return `${result.stdout}${result.stderr}`.replaceAll(String.raw`\"`, '"');
    },
    get: async (name) => JSON.parse(await proj('get', name, '-o', 'json')) as AppProject,
    async close() {
      await user[Symbol.asyncDispose]();
      await fairway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
