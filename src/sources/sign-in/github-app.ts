import { trimEndOf } from '../../base/index.ts';
import { askProvider } from './ask-provider.ts';
import { SignInError } from './sign-in-error.ts';
import { signJwt } from './sign-jwt.ts';
import type { Token, TokenRequest } from './token.ts';

const DEFAULT_API = 'https://api.github.com';
const JWT_SECONDS = 9 * 60;
/** Clocks differ. */
const JWT_EARLIER_SECONDS = 60;
const TOKEN_MS = 60 * 60_000;

/** A token of the installation of an app of a hosting provider: the app signs a statement with its key, and gets one for it. */
export async function askForInstallationToken(request: TokenRequest): Promise<Token> {
  const { access, nowMs } = request;
  const id = access.githubAppID?.reveal() ?? '';
  if (id === '') throw new SignInError('the id of the app is missing');
  const api = trimEndOf(access.githubAppEnterpriseBaseUrl?.reveal() || DEFAULT_API, '/');
  const nowSeconds = Math.floor(nowMs / 1000);
  const claims = { iat: nowSeconds - JWT_EARLIER_SECONDS, exp: nowSeconds + JWT_SECONDS, iss: id };
  const authorization = `Bearer ${signJwt(claims, access.githubAppPrivateKey?.reveal() ?? '', 'the private key of the app')}`;
  const headers = { accept: 'application/vnd.github+json' };
  const installation = access.githubAppInstallationID?.reveal() || (await findInstallation(request, api, { authorization, headers }));
  const url = `${api}/app/installations/${encodeURIComponent(installation)}/access_tokens`;
  const { token, expires_at: expiresAt } = await askProvider(request, { url, authorization, headers });
  if (typeof token !== 'string' || token === '') throw new SignInError('the provider of the app gave no token');
  const until = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  return { text: token, expiresAtMs: Number.isNaN(until) ? nowMs + TOKEN_MS : until };
}

/** Which of the app's installations is for the repository. */
async function findInstallation(
  request: TokenRequest,
  api: string,
  ask: { readonly authorization: string; readonly headers: Readonly<Record<string, string>> },
): Promise<string> {
  const [owner = '', name = ''] = request.path.replace(/^\/+/, '').split('/');
  if (owner === '' || name === '') throw new SignInError('the URL of the repository does not say whose it is');
  const repository = `${encodeURIComponent(owner)}/${encodeURIComponent(name.replace(/\.git$/, ''))}`;
  const { id } = await askProvider(request, { ...ask, url: `${api}/repos/${repository}/installation`, method: 'GET' });
  if (typeof id !== 'number' && typeof id !== 'string') throw new SignInError('the app is not installed for the repository');
  return String(id);
}
