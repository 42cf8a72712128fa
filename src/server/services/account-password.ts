import { hashPassword, isProjectSubject, localIssuer, passwordBytesMax } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import { Sealed } from '../../settings/index.ts';
import type { Call } from '../call.ts';
import type { AccountServiceOptions } from './account-context.ts';
import { requireAllowed } from './authorise.ts';

/** Whoever signed in elsewhere has no password here; that they signed in just now stands for it. */
const providerTokenSecondsMax = 5 * 60;

interface PasswordChange {
  readonly newPassword?: string;
  readonly currentPassword?: string;
  /** Of the caller's own account when empty. */
  readonly name?: string;
}

/** Changes the password of an account. Its sessions and tokens from before are void then. */
export async function changePassword(options: AccountServiceOptions, request: PasswordChange, call: Call): Promise<Record<string, never>> {
  const { policy, settings, clock } = options;
  const { newPassword = '', currentPassword = '', name = '' } = request;
  const { username = '', issuer = '' } = call.caller ?? {};
  const account = name === '' ? username : name;
  if (account !== username || issuer !== localIssuer) {
    requireAllowed(policy, call, { resource: 'accounts', action: 'update', object: account });
  }
  if (issuer === localIssuer) await requireOwnPassword(options, username, currentPassword);
  else requireFreshToken(call, clock.nowMs() / 1000);
  requireGoodPassword(newPassword, settings.current.general.passwordPattern);
  const passwordHash = new Sealed(await hashPassword(newPassword));
  // Not rounded up: the stock client signs in again within the same second, and that token must count.
  const passwordMtime = Math.floor(clock.nowMs() / 1000);
  await settings.updateAccount(account, (before) => ({ ...before, passwordHash, passwordMtime }));
  return {};
}

/** A token that somebody lost must not be enough to lock its owner out. Guesses count like those at sign-in. */
async function requireOwnPassword({ checkPassword }: AccountServiceOptions, username: string, password: string): Promise<void> {
  if (isProjectSubject(username)) {
    throw new ApiError(Code.InvalidArgument, `password can only be changed for local users, not user ${JSON.stringify(username)}`);
  }
  const result = password === '' ? 'failure' : await checkPassword(username, password);
  if (result !== 'success') throw new ApiError(Code.InvalidArgument, 'current password does not match');
}

function requireFreshToken({ caller }: Call, nowSeconds: number): void {
  if (caller !== undefined && nowSeconds - caller.issuedAt <= providerTokenSecondsMax) return;
  throw new ApiError(Code.Unknown, "SSO token is too old. Please use 'argocd relogin' to get a new token");
}

function requireGoodPassword(password: string, pattern: string): void {
  // Asked first, so that no expression is ever held against a text without an end.
  if (Buffer.byteLength(password) > passwordBytesMax) {
    throw new ApiError(Code.InvalidArgument, `a password has at most ${passwordBytesMax} bytes`);
  }
  if (!new RegExp(pattern, 'u').test(password)) {
    throw new ApiError(Code.Unknown, `new password does not match the following expression: ${pattern}`);
  }
}
