import { statusError } from '../../objects/index.ts';
import type { Cursor } from './read-page.ts';

/** Where a list goes on: as of which version, after which object, and how many objects are left. */
export interface Continuation {
  readonly version: number;
  readonly after: Cursor;
  /** Undefined for a list with a selector, which nobody has counted. */
  readonly left: number | undefined;
}

export function encodeContinue({ version, after, left }: Continuation): string {
  const start = `${after.namespace}/${after.name}\u0000`;
  const token = { v: 'meta.k8s.io/v1', rv: version, start, ...(left !== undefined && { left }) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

export function decodeContinue(text: string): Continuation {
  const token = parseToken(text);
  const { v, rv, start, left } = token;
  if (v !== 'meta.k8s.io/v1') throw refuse('server does not recognize this encoded version');
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0)
    throw refuse('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || !start.includes('/')) throw refuse('encoded start key is not valid');
  const [namespace = '', name = ''] = start.replace('\u0000', '').split('/');
  return { version: rv, after: { namespace, name }, left: typeof left === 'number' ? left : undefined };
}

function parseToken(text: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    // The text comes from outside; which character is wrong helps nobody.
    throw refuse('continue key is not valid');
  }
}

function refuse(text: string): Error {
  return statusError('BadRequest', `invalid continue token: ${text}`);
}
