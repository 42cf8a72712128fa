import type { Exchange } from '../core/exchange.ts';

/**
 * Requests that change something must be JSON: a browser cannot be made to send that from another site without
 * asking us first, which we refuse.
 */
export function hasAcceptableContentType(exchange: Exchange): boolean {
  const contentType = exchange.header('content-type');
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

/** Not by a pattern: one that allows spaces in several places takes seconds for a header full of them. */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && parameters.every((parameter) => /^(?:charset=(?:utf-8|"utf-8"))?$/.test(parameter));
}
