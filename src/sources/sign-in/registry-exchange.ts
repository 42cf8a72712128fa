import { ApiError } from '../../base/index.ts';
import { parseAuthChallenge } from '../oci/auth-challenge.ts';
import type { AuthChallenge } from '../oci/auth-challenge.ts';
import { askProvider } from './ask-provider.ts';
import { SignInError } from './sign-in-error.ts';
import type { Token, TokenRequest } from './token.ts';

/** What such registries call whoever has a token of theirs. */
export const registryUser = '00000000-0000-0000-0000-000000000000';

const LIMIT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 << 10;
const TOKEN_SECONDS = 3600;

/**
 * A token of the registry itself, for somebody whom its cloud knows: the registry says who it is, and takes the token of the cloud in
 * exchange for one that is a password to it.
 */
export async function exchangeForRegistry(request: TokenRequest, origin: string, askCloud: () => Promise<Token>): Promise<Token> {
  const { realm, service } = await askWho(request, origin);
  const { text } = await askCloud();
  const form = { grant_type: 'access_token', service, access_token: text };
  const { refresh_token: token } = await askProvider(request, { url: `${realm.origin}/oauth2/exchange`, form });
  if (typeof token !== 'string' || token === '') throw new SignInError('the registry gave no token in exchange');
  return { text: token, expiresAtMs: endOf(token) ?? request.nowMs + TOKEN_SECONDS * 1000 };
}

/** The token of the cloud goes to the registry itself and to nobody else, whatever it says. */
async function askWho({ access, get }: TokenRequest, origin: string): Promise<{ readonly realm: URL; readonly service: string }> {
  const challenge = await get({
    url: `${origin}/v2/`,
    access,
    withCertificate: false,
    bytesMax: ANSWER_BYTES_MAX,
    limitMs: LIMIT_MS,
  }).then(({ status, headers }) => (status === 401 ? parseAuthChallenge(headers['www-authenticate']) : undefined), refuse);
  if (challenge?.scheme !== 'bearer') throw new SignInError('the registry gives out no tokens');
  const realm = URL.canParse(challenge.realm) ? new URL(challenge.realm) : undefined;
  if (realm?.origin !== origin) throw new SignInError('the registry gives out tokens elsewhere');
  return { realm, service: challenge.service };
}

function refuse(error: unknown): AuthChallenge {
  throw error instanceof ApiError ? new SignInError(error.message) : error;
}

/** When a token says that it ends. It is the registry that checks it. */
function endOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const seconds = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  } catch {
    // Then it is not one that says so.
    return undefined;
  }
}
