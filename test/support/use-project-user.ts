import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { AppProject } from '../../src/model/index.ts';
import type { ProjectUser } from './argocd-project-user.ts';

/** What somebody does in the stories of one suite, who is there from its first story to its last. */
export interface ProjectStoryteller {
  readonly proj: (...args: readonly string[]) => Promise<string>;
  readonly says: (...args: readonly string[]) => Promise<string>;
  readonly fails: (code: number, ...args: readonly string[]) => Promise<string>;
  readonly get: (name: string) => Promise<AppProject>;
  readonly spec: (name: string) => Promise<AppProject['spec']>;
  /** The path of a file of theirs. */
  readonly file: (name: string) => string;
}

/** To be called where the stories are described. `prepare` comes before the first of them. */
export function useProjectUser(open: () => Promise<ProjectUser>, prepare?: (user: ProjectUser) => Promise<unknown>): ProjectStoryteller {
  let user: ProjectUser;
  beforeAll(async () => {
    user = await open();
    await prepare?.(user);
  }, 600_000);
  afterAll(async () => {
    await user?.close();
  });
  return {
    proj: (...args) => user.proj(...args),
    says: (...args) => user.says(...args),
    fails: (...args) => user.fails(...args),
    get: (name) => user.get(name),
    spec: async (name) => (await user.get(name)).spec,
    file: (name) => join(user.folder, name),
  };
}
