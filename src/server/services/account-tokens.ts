import { randomUUID } from 'node:crypto';
import { ApiError, Code } from '../../base/index.ts';
import type { AccountServiceOptions } from './account-context.ts';

/** Far more than anybody needs; all tokens of all accounts share one Secret of a megabyte. */
const tokensMax = 500;
const idLengthMax = 253;

/** Gives an account another token. It is stored before anybody is told of it. */
export async function createAccountToken(
  { settings, sessions, clock }: AccountServiceOptions,
  request: { readonly name: string; readonly id: string; readonly expiresIn: number },
): Promise<string> {
  const { name: account, expiresIn } = request;
  const id = request.id === '' ? randomUUID() : request.id;
  if (id.length > idLengthMax) throw new ApiError(Code.InvalidArgument, `a token id has at most ${idLengthMax} characters`);
  const issuedAt = Math.floor(clock.nowMs() / 1000);
  const expiresAt = expiresIn > 0 ? issuedAt + expiresIn : undefined;
  if (expiresAt !== undefined && !Number.isSafeInteger(expiresAt)) throw new ApiError(Code.InvalidArgument, 'expiresIn is too large');
  await settings.updateAccount(account, (before) => {
    if (before.tokens.some((token) => token.id === id)) throw new ApiError(Code.Unknown, `account already has token with id '${id}'`);
    if (!before.capabilities.includes('apiKey')) throw new ApiError(Code.Unknown, `account '${account}' does not have apiKey capability`);
    if (before.tokens.length >= tokensMax)
      throw new ApiError(Code.ResourceExhausted, `account '${account}' has ${tokensMax} tokens already`);
    return { ...before, tokens: [...before.tokens, { id, issuedAt, expiresAt }] };
  });
  return sessions.signForAccount({ account, id, issuedAt, expiresAt });
}

/** From now on the token is refused. */
export async function deleteAccountToken(
  { settings }: AccountServiceOptions,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  await settings.updateAccount(name, (before) => {
    const tokens = before.tokens.filter((token) => token.id !== id);
    if (tokens.length === before.tokens.length) throw new ApiError(Code.NotFound, `token with id '${id}' does not exist`);
    return { ...before, tokens };
  });
}
