import { ownText } from '../../base/index.ts';
import { withoutControlCharacters } from '../control-characters.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { AskForRefs, AskForRefsOptions } from './ask-for-refs.ts';
import { GitError } from './git.ts';
import type { Git } from './git.ts';
import { formatLsRefs, readConversation } from './ls-refs.ts';
import type { GitRef } from './resolve-revision.ts';

const PEELED = '^{}';
const MESSAGE_MAX = 500;

export interface ListRefsOptions extends AskForRefsOptions {
  /** Asks without a program, where that can be done. */
  readonly askForRefs: AskForRefs;
}

/** The refs of a server whose names start as asked; annotated tags as the commits that they point to. */
export async function listRefs(git: Git, access: RepositoryAccess, options: ListRefsOptions): Promise<GitRef[]> {
  const url = git.parseUrl(access.url);
  const { transport } = url;
  const asked = await options.askForRefs(await git.signIn(access), url, options);
  if (asked !== undefined) return asked;
  if (transport !== 'http' && transport !== 'https') return await converse(git, access, options, { skip: 0 });
  // The helper answers with an empty line once it is connected.
  const { limitMs, signal } = options;
  try {
    return await converse(git, access, options, { input: 'stateless-connect git-upload-pack\n', skip: 1 });
  } catch (error) {
    if (!(error instanceof NoVersionTwo)) throw error;
    // An old server: git's own command, which transfers all of its refs, understands it.
    const output = await git.remote(access, { args: (url) => ['ls-remote', '--quiet', '--', url], limitMs, signal });
    return parseRefs(output.toString('utf8'));
  }
}

class NoVersionTwo extends Error {}

async function converse(
  git: Git,
  access: RepositoryAccess,
  { prefixes, limitMs, signal }: ListRefsOptions,
  { input, skip }: { readonly input?: string; readonly skip: number },
): Promise<GitRef[]> {
  let isAsked = false;
  const respond = (output: Buffer): { text: string; end: boolean } | undefined => {
    // An empty line ends the helper; without it, it complains.
    if (output.toString('latin1', 0, 8) === 'fallback') return { text: '\n', end: true };
    const conversation = readConversation(output.subarray(skip));
    if (conversation.state === 'incomplete') return undefined;
    if (conversation.state !== 'ready') return { text: skip === 0 ? '0000' : '', end: true };
    if (isAsked) return undefined;
    isAsked = true;
    return { text: formatLsRefs(prefixes, conversation.objectFormat), end: skip === 1 };
  };
  const output = await git.uploadPack(access, { ...(input !== undefined && { input }), respond, limitMs, signal });
  if (output.toString('latin1', 0, 8) === 'fallback') throw new NoVersionTwo();
  const conversation = readConversation(output.subarray(skip));
  if (conversation.state === 'refs') return conversation.refs;
  throw new GitError(conversation.state === 'error' ? shownMessage(conversation.message) : 'unexpected EOF', '');
}

/** A server may say anything. */
function shownMessage(message: string): string {
  return withoutControlCharacters(message.slice(0, MESSAGE_MAX));
}

function parseRefs(text: string): GitRef[] {
  const refs = new Map<string, GitRef>();
  for (const line of text.split('\n')) {
    const [id = '', written = ''] = line.split('\t').map(ownText);
    if (!/^[0-9a-f]{40,64}$/.test(id) || written === '') continue;
    // The line of what a tag points to comes after that of the tag itself.
    const isAnnotated = written.endsWith(PEELED);
    const name = isAnnotated ? written.slice(0, -PEELED.length) : written;
    refs.set(name, { name, commit: id, ...(isAnnotated && { tagId: refs.get(name)?.commit ?? '' }) });
  }
  if (refs.size === 0) throw new GitError('remote repository is empty', '');
  return [...refs.values()];
}
