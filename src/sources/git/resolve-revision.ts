import { ApiError, Code } from '../../base/index.ts';
import { isConstraint, isVersion, pickVersion } from '../../template/index.ts';
import { hasControlCharacter, withoutControlCharacters } from '../control-characters.ts';

/** A ref of a server. */
export interface GitRef {
  /** `HEAD`, or the full name. */
  readonly name: string;
  /** The commit; of an annotated tag, the one that it points to. */
  readonly commit: string;
  /** The id of a tag that is an object of its own, which can be signed. */
  readonly tagId?: string;
}

/** What a target revision needs to be known of a server, and how it is picked from that. */
export type RevisionQuery =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'names'; readonly text: string; readonly names: readonly string[] }
  | { readonly kind: 'versions'; readonly text: string; readonly tagPrefix: string };

const LENGTH_MAX = 1024;

/** Decides from the text alone what to ask the server for, so that only those refs are transferred. */
export function planRevision(target: string | undefined, tagPrefix = ''): RevisionQuery {
  const text = target === undefined || target === '' ? 'HEAD' : target;
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return { kind: 'commit', commit: text.toLowerCase() };
  if (text.length > LENGTH_MAX || !isRefText(text)) {
    // Ranges such as `>=1.0 <2` hold characters that no ref has.
    if (text.length <= LENGTH_MAX && isConstraint(text) && !isVersion(text)) return { kind: 'versions', text, tagPrefix };
    throw unresolvable(text);
  }
  if (isConstraint(text) && !isVersion(text)) return { kind: 'versions', text, tagPrefix };
  const names = tagPrefix !== '' && isVersion(text) ? namesOf(`${tagPrefix}${text}`) : namesOf(text);
  return { kind: 'names', text, names };
}

/** The full names that a text may stand for, the strongest first: as git itself, a tag before a branch of the same name. */
function namesOf(text: string): string[] {
  if (text === 'HEAD') return ['HEAD'];
  if (text.startsWith('refs/')) return [text];
  return [`refs/tags/${text}`, `refs/heads/${text}`, `refs/${text}`, `refs/remotes/${text}`];
}

/** The commit that was asked for. Throws where the server has nothing of that name. */
export function pickRevision(query: Exclude<RevisionQuery, { kind: 'commit' }>, refs: readonly GitRef[]): string {
  return pickRef(query, refs)?.commit ?? pickShortCommit(query.text);
}

/** The ref that a target stands for. */
export function pickRef(query: Exclude<RevisionQuery, { kind: 'commit' }>, refs: readonly GitRef[]): GitRef | undefined {
  const byName = new Map(refs.map((ref) => [ref.name, ref]));
  const names = query.kind === 'names' ? query.names : [...versionName(query, refs), ...namesOf(query.text)];
  for (const name of names) {
    const ref = byName.get(name);
    if (ref !== undefined) return ref;
  }
  return undefined;
}

function pickShortCommit(text: string): string {
  if (/^[0-9a-f]{7,40}$/i.test(text)) return text.toLowerCase();
  throw unresolvable(text);
}

function versionName({ text, tagPrefix }: { text: string; tagPrefix: string }, refs: readonly GitRef[]): string[] {
  const start = `refs/tags/${tagPrefix}`;
  const tags = refs.filter(({ name }) => name.startsWith(start)).map(({ name }) => name.slice(start.length));
  const picked = pickVersion(text, tags);
  return picked === undefined ? [] : [`${start}${picked}`];
}

/** What git allows in the name of a ref. Everything else is no name, and never reaches git. */
function isRefText(text: string): boolean {
  if (/[\s~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|^[-/]|\/$|\.$|^@$/.test(text) || hasControlCharacter(text)) return false;
  return !text.split('/').some((part) => part.startsWith('.'));
}

function unresolvable(text: string): ApiError {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new ApiError(Code.Unknown, `unable to resolve '${withoutControlCharacters(shown)}' to a commit SHA`);
}
