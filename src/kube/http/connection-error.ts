import { ApiError, Code } from '../../base/index.ts';

/** A call that got no answer. `transient` where the same call may well succeed a moment later. */
export class ConnectionError extends ApiError {
  readonly transient: boolean;

  constructor(code: Code, message: string, options: ErrorOptions & { readonly transient: boolean }) {
    super(code, message, options);
    this.name = 'ConnectionError';
    this.transient = options.transient;
  }
}

const UNTRUSTED: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
];

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ...UNTRUSTED.map((code): [string, string] => [code, 'its certificate is not signed by a trusted authority']),
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is made out to another name'],
  ['ENOTFOUND', 'its host name is not known'],
  ['EAI_AGAIN', 'its host name cannot be looked up at the moment'],
  ['ECONNREFUSED', 'it refuses connections'],
  ['EHOSTUNREACH', 'there is no way to its host'],
  ['ENETUNREACH', 'there is no way to its network'],
  ['ETIMEDOUT', 'it does not answer'],
  ['ERR_INVALID_CHAR', 'the credentials for it contain characters that cannot be sent'],
  ['EPROTO', 'it does not speak TLS as expected'],
]);

/** Worth another try at once: the connection was lost, or the server is just being started. */
const TRANSIENT: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'EAI_AGAIN'];

/** A failure of the network or of TLS, in words, with the cluster's address and without anything that the caller sent. */
export function toConnectionError(error: unknown, address: string): ApiError {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : '';
  const transient = TRANSIENT.includes(code);
  const problem = PROBLEMS.get(code) ?? (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL') ? describeTls(code) : undefined);
  const message = `cannot reach the cluster at ${address}: ${problem ?? `the connection broke${code === '' ? '' : ` (${code})`}`}`;
  return new ConnectionError(Code.Unavailable, message, { cause: error, transient });
}

function describeTls(code: string): string {
  const alert = code
    .replace(/^ERR_O?SSL_(?:SSL_)?/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return `the TLS connection failed (${alert})`;
}

export function unanswered(address: string, what: string, limitMs: number): ApiError {
  const message = `the cluster at ${address} did not answer within ${limitMs / 1000} seconds: ${what}`;
  return new ConnectionError(Code.DeadlineExceeded, message, { transient: false });
}

/** An answer that stopped in the middle. */
export function brokenOff(address: string, cause?: unknown): ApiError {
  const message = `the cluster at ${address} broke off in the middle of its answer`;
  return new ConnectionError(Code.Unavailable, message, { transient: true, cause });
}
