import { ApiError, Code } from '../../../base/index.ts';

/** `https://…`, also with the slashes merged to one, and `user@host:…`. */
const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:\/{1,2}[^/]|[^/@]+@[^/:]+:)/i;

/** Decodes percent-encoding once. */
export function decodeSegment(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new ApiError(Code.InvalidArgument, 'the path has malformed percent-encoding');
  }
}

/**
 * The URL of a repository or cluster in a path: encoded once, encoded twice by a careful client, or decoded by a
 * proxy, which may also have merged its double slash. Undefined for what is not a URL.
 */
export function readUrlValue(raw: string): string | undefined {
  let value = decodeSegment(raw);
  if (/^[a-z][a-z0-9+.-]*%3a(?:%2f){2}/i.test(value)) value = decodeSegment(value);
  if (!URL_LIKE.test(value)) return undefined;
  return value.replace(/^([a-z][a-z0-9+.-]*):\/(?=[^/])/i, '$1://');
}
