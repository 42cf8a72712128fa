import { describe, expect, it } from 'vitest';
import { systemTimers } from '../../../base/index.ts';
import { readApplicationSet } from '../../../model/index.ts';
import { createGitGenerator } from './git-generator.ts';

type Context = Parameters<typeof createGitGenerator>[0];

interface Scene {
  readonly folders?: readonly string[];
  /** Of the application set. */
  readonly namespace?: string;
}

interface Generated {
  readonly count: number;
  /** Whose credentials the repository was read with. */
  readonly project: string;
}

/** Runs the generator over a repository that is only thought of, for a project that is for the namespace team-a. */
async function generate(git: object, { folders = [], namespace = 'argocd' }: Scene): Promise<Generated> {
  let project = 'none';
  const entries = new Map(folders.map((path) => [path, { kind: 'folder', id: path, sizeBytes: 0 }]));
  const context = {
    sources: {
      files: (_source: object, options: { readonly project: string }) => {
        project = options.project;
        return Promise.resolve({ revision: 'x', entries, read: () => Promise.resolve(new Map()) });
      },
    },
    projects: {
      get: () => ({ apiVersion: '', kind: '', metadata: { name: 'shop', namespace: 'argocd' }, spec: { sourceNamespaces: ['team-a'] } }),
    },
    settings: { current: { parameters: { appsetNewGlobbing: false, hiddenFoldersIncluded: false }, gpgKeys: new Map() } },
    namespace: 'argocd',
    timers: systemTimers,
    log: { warn: () => undefined },
  } as unknown as Context;
  const applicationSet = readApplicationSet({
    apiVersion: '',
    kind: '',
    metadata: { name: 'set', namespace },
    spec: { generators: [], template: { spec: { project: 'shop' } } },
  });
  const sets = await createGitGenerator(context).generate({
    spec: { repoURL: 'https://git.example.com/shop.git', revision: 'HEAD', ...git } as never,
    applicationSet,
    goTemplate: true,
    renderText: (text) => text,
    strictTokens: false,
    fresh: false,
    signal: new AbortController().signal,
  });
  return { count: sets.length, project };
}

describe('the git generator', () => {
  it('APPSET-06: lets others have their turn while it holds many patterns against many paths', async () => {
    const folders = Array.from({ length: 10 }, (_item, index) => `${'a'.repeat(250)}${index}`);
    const directories = Array.from({ length: 20 }, (_item, index) => ({ path: `${'*a'.repeat(200)}b${index}` }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const { count } = await generate({ directories: [...directories, { path: 'a*0' }] }, { folders });
    clearInterval(timer);
    expect(count).toBe(1);
    expect(turns).toBeGreaterThan(3);
  });

  it.each([
    ['argocd', 'shop'],
    ['team-a', 'shop'],
    ['team-b', ''],
  ])('APPSET-02: reads for a set of the namespace %s with the credentials of the project "%s"', async (namespace, project) => {
    expect(await generate({ directories: [{ path: '*' }] }, { namespace })).toEqual({ count: 0, project });
  });
});
