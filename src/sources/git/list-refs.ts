import type { RepositoryAccess } from '../repository-access.ts';
import type { Git } from './git.ts';
import type { GitRef } from './resolve-revision.ts';

const PEELED = '^{}';

export interface ListRefsOptions {
  /** Full names, or their beginnings where they end with a slash or a star; all refs unless given. */
  readonly names?: readonly string[];
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The refs of a server; annotated tags as the commits that they point to. */
export async function listRefs(git: Git, access: RepositoryAccess, { names = [], limitMs, signal }: ListRefsOptions): Promise<GitRef[]> {
  const patterns = names.flatMap((name) => (name.startsWith('refs/tags/') && !name.endsWith('*') ? [name, `${name}${PEELED}`] : [name]));
  const args = (url: string): string[] => ['ls-remote', '--quiet', '--', url, ...patterns];
  const output = await git.remote(access, { args, limitMs, signal });
  return parseRefs(output.toString('utf8'));
}

export function parseRefs(text: string): GitRef[] {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id = '', name = ''] = line.split('\t');
    if (!/^[0-9a-f]{40,64}$/.test(id) || name === '') continue;
    // The line of what a tag points to comes after that of the tag itself.
    refs.set(name.endsWith(PEELED) ? name.slice(0, -PEELED.length) : name, id);
  }
  return [...refs].map(([name, commit]) => ({ name, commit }));
}
