import { ApiError, Code } from '../../base/index.ts';
import { isOwnMachine } from '../http/egress.ts';
import { SignInError } from './sign-in-error.ts';
import type { TokenRequest } from './token.ts';

const LIMIT_MS = 15_000;
const ANSWER_BYTES_MAX = 256 << 10;

export interface ProviderQuestion {
  readonly url: string;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form; without it, nothing is sent. */
  readonly form?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
}

/** Asks a provider, and answers with the object that it sends. Nothing of its answer is in an error. */
export async function askProvider({ access, get }: TokenRequest, question: ProviderQuestion): Promise<Record<string, unknown>> {
  const { url, authorization, headers = {}, form, method = 'POST' } = question;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || (address.protocol !== 'https:' && !isOwnMachine(address.hostname)))
    throw new SignInError('the address of the provider is not an https address');
  const shown = `${address.origin}${address.pathname}`;
  const answer = await get({
    url,
    // What is trusted for the repository's host is not trusted for others.
    access: sameHost(access.url, address) ? access : { ...access, insecure: false, certificateAuthorities: '' },
    authorization,
    withCertificate: false,
    headers: { accept: 'application/json', ...headers },
    ...(method === 'POST' && { body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() } }),
    bytesMax: ANSWER_BYTES_MAX,
    limitMs: LIMIT_MS,
  }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code !== Code.Canceled ? new SignInError(error.message) : error;
  });
  if (answer.status < 200 || answer.status > 299) throw new SignInError(`${shown} answered with the status ${answer.status}`);
  try {
    const value: unknown = JSON.parse(answer.body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The same as any other value that is no object.
  }
  throw new SignInError(`${shown} did not answer with an object`);
}

function sameHost(repository: string, { hostname }: URL): boolean {
  return URL.canParse(repository) && new URL(repository).hostname === hostname;
}
