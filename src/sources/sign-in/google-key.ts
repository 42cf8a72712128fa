import { askProvider } from './ask-provider.ts';
import { SignInError } from './sign-in-error.ts';
import { signJwt } from './sign-jwt.ts';
import type { Token, TokenRequest } from './token.ts';

const DEFAULT_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const JWT_SECONDS = 3600;

/** A token for the service account whose key a repository has; its address is the user name. */
export async function askWithServiceAccountKey(request: TokenRequest): Promise<Token & { readonly username: string }> {
  const { access, nowMs } = request;
  const { client_email: email, private_key: key, token_uri: given } = readKey(access.gcpServiceAccountKey?.reveal() ?? '');
  const url = given === '' ? DEFAULT_TOKEN_URL : given;
  const nowSeconds = Math.floor(nowMs / 1000);
  const claims = { iss: email, scope: SCOPE, aud: url, iat: nowSeconds, exp: nowSeconds + JWT_SECONDS };
  const assertion = signJwt(claims, key, 'the private key of the service account');
  const answer = await askProvider(request, { url, form: { grant_type: GRANT, assertion } });
  const { access_token: token, expires_in: seconds } = answer;
  if (typeof token !== 'string' || token === '') throw new SignInError('the provider of the service account gave no token');
  return { text: token, expiresAtMs: nowMs + (typeof seconds === 'number' ? seconds : JWT_SECONDS) * 1000, username: email };
}

function readKey(json: string): Record<'client_email' | 'private_key' | 'token_uri', string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    // Said below, without what stands in it.
  }
  const fields = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const read = { client_email: text('client_email'), private_key: text('private_key'), token_uri: text('token_uri') };
  if (read.client_email === '' || read.private_key === '') throw new SignInError('the key of the service account cannot be read');
  return read;
}
