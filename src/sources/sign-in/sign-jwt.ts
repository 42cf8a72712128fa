import { createPrivateKey, createSign } from 'node:crypto';
import { SignInError } from './sign-in-error.ts';

/** A JSON web token, signed with an RSA key; `what` names the key where it cannot be read. */
export function signJwt(claims: Readonly<Record<string, unknown>>, pem: string, what: string): string {
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part), 'utf8').toString('base64url');
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(createPrivateKey(pem)).toString('base64url')}`;
  } catch {
    // What the parser complains about may hold parts of the key.
    throw new SignInError(`${what} cannot be read`);
  }
}
