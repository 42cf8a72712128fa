import { trimEndOf } from '../../base/index.ts';

/** A folder of another repository that a kustomization takes in. */
export interface RemoteBase {
  readonly url: string;
  /** A branch, a tag or a commit; empty for what the repository has at its head. */
  readonly ref: string;
  /** From the root of the repository. */
  readonly path: string;
}

const SCHEME = /^(https?|ssh|file):\/\//i;
const SCP_FORM = /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:(?!\/\/)/;
const BARE_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}\//i;

/** Whether an entry can only be something on another machine. */
export function looksRemote(entry: string): boolean {
  return /:\/\/|::|@|\.git(?:\/|$|\?)|_git\/|\?|\/\/|^(?:gh:|[a-z0-9-]+\.(?:com|org|io|net)[/:])/i.test(entry);
}

/** Whether an entry is a single file that is fetched by its address. */
export function isRemoteFile(entry: string): boolean {
  return /^https?:\/\/[^?#]*\.(?:ya?ml|json)$/i.test(entry);
}

/**
 * Reads the address of a folder in another repository as Kustomize writes them: the address of the repository, the path after `//`, after
 * `.git` or after owner and name, and the revision as `ref`.
 */
export function parseRemoteBase(entry: string): RemoteBase | undefined {
  const question = entry.indexOf('?');
  const query = new URLSearchParams(question < 0 ? '' : entry.slice(question + 1));
  const ref = query.get('ref') ?? query.get('version') ?? '';
  const written = (question < 0 ? entry : entry.slice(0, question)).replace(/^git::/, '').replace(/^gh:/, 'github.com/');
  const head = (SCHEME.exec(written) ?? SCP_FORM.exec(written))?.[0];
  if (head === undefined) return BARE_HOST.test(written) ? split('https://', written, ref) : undefined;
  return split(head, written.slice(head.length), ref);
}

function split(head: string, rest: string, ref: string): RemoteBase | undefined {
  const [place = '', path = ''] = cut(head, rest);
  if (place === '') return undefined;
  return { url: `${head}${place}`, ref, path: trimEndOf(path.replace(/^\/+/, ''), '/') };
}

function cut(head: string, rest: string): string[] {
  const doubled = rest.indexOf('//');
  if (doubled >= 0) return [rest.slice(0, doubled), rest.slice(doubled + 2)];
  const named = /^(.*?\.git)(?:\/(.*))?$/.exec(rest) ?? /^(.*?_git\/[^/]+)(?:\/(.*))?$/.exec(rest);
  if (named !== null) return named.slice(1);
  if (head.toLowerCase() === 'file://') return [rest];
  // The host, unless it is in front already, then owner and name.
  const steps = rest.split('/');
  const count = head.endsWith(':') && !head.includes('//') ? 2 : 3;
  return [steps.slice(0, count).join('/'), steps.slice(count).join('/')];
}
