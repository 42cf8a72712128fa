import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { isProjectSubject, type Caller } from '../caller.ts';
import { invalidSession } from '../session-token.ts';
import type { IdTokenClaims } from './verify-id-token.ts';

/** Who a verified token of a provider belongs to. `groups` are what else is known than the token says. */
export function readIdentity(claims: IdTokenClaims, tokenId: string, groups: readonly string[]): Caller {
  const subject = readSubject(claims);
  const username = readText(claims['email']) ?? subject;
  const { iss: issuer = '', iat: issuedAt, exp: expiresAt } = claims;
  return {
    username,
    subject,
    issuer,
    groups,
    capability: 'login',
    tokenId,
    issuedAt: Math.trunc(issuedAt),
    expiresAt: Math.trunc(expiresAt),
  };
}

/** The texts in the claims that name groups. Whatever is no text is no group. */
export function readGroups(claims: JWTPayload, groupClaims: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const name of groupClaims) {
    const value: unknown = Object.hasOwn(claims, name) ? claims[name] : undefined;
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const group = readText(one);
      if (group !== undefined && !isReserved(group)) groups.add(group);
    }
  }
  return [...groups];
}

/**
 * What a token of a provider is known by when it is revoked. Providers differ in what ids they put into tokens, and some put none, so it
 * is the token itself that counts: what is signed of it, because a signature can be spelled in several ways.
 */
export function identifyToken(token: string): string {
  return formerTokenId(token.slice(0, Math.max(token.lastIndexOf('.'), 0)));
}

/** What it was known by once, with its signature: as such it may still be stored as revoked. */
export function formerTokenId(token: string): string {
  return `sso:${createHash('sha256').update(token).digest('base64url')}`;
}

function readSubject(claims: JWTPayload): string {
  const federated: unknown = claims['federated_claims'];
  const isObject = typeof federated === 'object' && federated !== null && Object.hasOwn(federated, 'user_id');
  const subject = (isObject ? readText(Reflect.get(federated, 'user_id')) : undefined) ?? readText(claims.sub);
  if (subject === undefined) throw invalidSession('the token does not say whose it is');
  if (isReserved(subject)) throw invalidSession('the subject of the token is not that of a person');
  return subject;
}

/** Policies know roles and the tokens of projects by such names; no provider can hand them out. */
function isReserved(name: string): boolean {
  return name.startsWith('role:') || isProjectSubject(name);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
