import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, StatusError } from '../../objects/index.ts';
import type { Status, StatusReason } from '../../objects/index.ts';

const SNIPPET_LENGTH_MAX = 200;

/** The reasons that Kubernetes' own clients give to an answer that has none. */
const REASONS: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

export interface Refusal {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly address: string;
  /** What must not be repeated, however it came into the body. */
  readonly secrets: readonly string[];
}

/** What an answer of 400 and above says: the API's own Status, or for a body of somebody on the way, a text that tells so. */
export function toStatusError(refusal: Refusal): StatusError {
  const { code, headers } = refusal;
  const status = parseStatus(refusal.body) ?? foreignStatus(refusal);
  const seconds = status.details?.retryAfterSeconds ?? readRetryAfter(headers['retry-after']);
  const details = { ...status.details, ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
  const message = status.message === undefined ? undefined : withoutSecrets(status.message, refusal.secrets);
  return new StatusError({
    ...status,
    code: status.code ?? code,
    ...(message !== undefined && { message }),
    ...(Object.keys(details).length > 0 && { details }),
  });
}

function parseStatus(body: Buffer): Status | undefined {
  if (body[0] !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    if (!isJsonObject(value) || value['kind'] !== 'Status') return undefined;
    return { metadata: {}, ...value, kind: 'Status', apiVersion: 'v1', status: 'Failure' };
  } catch {
    // Somebody else's body; the answer's code still tells something.
    return undefined;
  }
}

function foreignStatus({ code, headers, body, address }: Refusal): Status {
  const type = headers['content-type']?.split(';')[0] ?? 'nothing';
  const snippet = type === 'text/plain' ? body.toString().trim().replaceAll(/\s+/g, ' ').slice(0, SNIPPET_LENGTH_MAX) : '';
  const said = snippet === '' ? `with ${type} and not as a Kubernetes API does` : `: ${snippet}`;
  const message = `${address} answered ${code}${snippet === '' ? ' ' : ''}${said}`;
  const reason = REASONS.get(code) ?? (code >= 500 ? 'InternalError' : '');
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** Seconds; the form with a date is left to those who know the server's clock. */
function readRetryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => (secret.length < 4 ? text : text.replaceAll(secret, '[redacted]')), message);
}
