import { ApiError, Code } from '../../base/index.ts';
import type { RevisionMetadata } from '../../contract/index.ts';
import { formatTime } from '../../objects/index.ts';
import type { Git } from './git.ts';
import type { MirroredCommit } from './mirrors.ts';

/** Name, address, seconds since the epoch, and the raw message. */
const FORMAT = ['%an', '%ae', '%at', '%B'].join('%x00');
const TRAILER = /^Argocd-reference-commit-(author|date|subject|body|sha|repourl): (.*)$/i;

/** What a commit says about itself; `tags` are those that point to it. */
export async function readRevisionMetadata(
  git: Git,
  { repository, commit }: MirroredCommit,
  tags: readonly string[],
): Promise<RevisionMetadata> {
  const args = ['log', '-1', '--no-show-signature', '--no-mailmap', `--format=${FORMAT}`, commit, '--'];
  const [name = '', address = '', seconds = '', message = ''] = (await git.local({ args, repository })).toString('utf8').split('\0');
  const references = readReferences(message);
  return {
    author: `${name} <${address}>`,
    date: formatTime(Number(seconds) * 1000),
    ...(tags.length > 0 && { tags: [...tags] }),
    message: message.trim(),
    ...(references.length > 0 && { references }),
  };
}

/** Trailers by which a commit names the one that it was made from. */
function readReferences(message: string): NonNullable<RevisionMetadata['references']> {
  const commit: Record<string, string> = {};
  for (const line of message.split('\n')) {
    const [, name = '', value = ''] = TRAILER.exec(line) ?? [];
    const field = name.toLowerCase();
    if (field === '') continue;
    commit[field === 'repourl' ? 'repoUrl' : field] = field === 'body' ? readJsonText(value) : value.trim();
  }
  return Object.keys(commit).length === 0 ? [] : [{ commit }];
}

/** A body has several lines, so it is written as a JSON text. */
function readJsonText(value: string): string {
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === 'string' ? text : value;
  } catch {
    // A plain text is what it is.
    return value;
  }
}

/** Only commits have metadata that stays the same. */
export function requireResolved(revision: string): void {
  if (!/^[0-9a-f]{7,64}$/i.test(revision)) throw new ApiError(Code.Unknown, `revision ${revision} must be resolved`);
}
