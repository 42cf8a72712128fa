import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { isProjectSubject, type Caller } from './caller.ts';
import { invalidSession, localIssuer } from './session-token.ts';

/** What is known of a token that was issued for a role of a project. Times are in seconds since the epoch. */
export interface ProjectToken {
  readonly project: string;
  readonly role: string;
  readonly id: string;
  readonly issuedAt: number;
  /** Undefined where it never expires. */
  readonly expiresAt: number | undefined;
}

/** Whether a project still counts a token as issued. */
export type IsProjectTokenIssued = (token: Pick<ProjectToken, 'project' | 'role' | 'id' | 'issuedAt'>) => boolean;

export function signProjectToken({ project, role, id, issuedAt, expiresAt }: ProjectToken, signingKey: Uint8Array): Promise<string> {
  const token = new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(localIssuer)
    .setSubject(`proj:${project}:${role}`)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setJti(id);
  return (expiresAt === undefined ? token : token.setExpirationTime(expiresAt)).sign(signingKey);
}

/** Who calls with a token of a project; undefined for other tokens. Throws Unauthenticated for one that has been taken back. */
export function readProjectCaller(claims: JWTPayload, isIssued: IsProjectTokenIssued): Caller | undefined {
  const subject = claims.sub ?? '';
  if (!isProjectSubject(subject)) return undefined;
  const [, project = '', role = ''] = subject.split(':');
  const issuedAt = claims.iat ?? 0;
  // Tokens from before there were ids are known by their time.
  const id = typeof claims.jti === 'string' && claims.jti !== '' ? claims.jti : String(issuedAt);
  if (!isIssued({ project, role, id, issuedAt }))
    throw invalidSession(`JWT token for role '${role}' issued at '${issuedAt}' does not exist in project '${project}'`);
  // People choose ids: ending one project's `ci` must not end another's.
  const tokenId = `${subject}:${id}`;
  return { username: subject, issuer: claims.iss ?? '', groups: [], capability: 'apiKey', tokenId, issuedAt, expiresAt: claims.exp };
}
