import type { IncomingHttpHeaders } from 'node:http';

/** The address of the next page, as the `Link` header names it. */
export function nextLink(headers: IncomingHttpHeaders): string | undefined {
  const { link } = headers;
  for (const part of (Array.isArray(link) ? link.join(',') : (link ?? '')).split(/,(?=\s*<)/)) {
    const [, target, rest = ''] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? [];
    if (target !== undefined && /;\s*rel="?next"?/.test(rest)) return target;
  }
  return undefined;
}
