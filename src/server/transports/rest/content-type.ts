import type { Exchange } from '../core/exchange.ts';

/**
 * Requests that change something must be JSON: a browser cannot be made to send that from another site without
 * asking us first, which we refuse.
 */
export function hasAcceptableContentType(exchange: Exchange): boolean {
  const contentType = exchange.headers['content-type'];
  switch (exchange.verb) {
    case 'POST':
    case 'PUT':
    case 'PATCH':
      return contentType !== undefined && isJson(contentType);
    case 'DELETE':
      return contentType === undefined ? exchange.bodyless : isJson(contentType);
    default:
      return true;
  }
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?\s*$/i.test(contentType);
}
