import { createHash } from 'node:crypto';
import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import { backOffMs, LruMap, pause, type Clock, type Timers } from '../../../../base/index.ts';
import { isJsonObject, type JsonValue } from '../../../../objects/index.ts';
import type { ProviderLimits } from '../provider-limits.ts';
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts';
import { nextLink } from './next-link.ts';
import { ProviderError } from './provider-error.ts';
import { openConnections, type Connections, type RawAnswer, type TlsTrust } from './send-request.ts';
import { readWantedPause } from './wanted-pause.ts';

/** What is remembered of providers between runs. */
export interface ProviderMemory {
  readonly kept: KeptAnswers;
  /** Until when nobody asks, by provider and credentials; milliseconds since the epoch. */
  readonly quietUntilMs: LruMap<string, number>;
}

export function createProviderMemory({ keptBytesMax }: Pick<ProviderLimits, 'keptBytesMax'>): ProviderMemory {
  return { kept: createKeptAnswers(keptBytesMax), quietUntilMs: new LruMap(1_000) };
}

export interface ProviderClientOptions {
  readonly trust: TlsTrust;
  /** Sent with each question. */
  readonly headers: Readonly<Record<string, string>>;
  /** What must not appear in any text. */
  readonly secrets: readonly string[];
  /** Whether a failure repeats texts that are no JSON. Not where whoever reads it has chosen the address: anything may answer there. */
  readonly repeatsTexts: boolean;
  readonly limits: ProviderLimits;
  readonly memory: ProviderMemory;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export interface ProviderQuestion {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Makes the headers anew for each attempt, for signatures that hold the time. */
  readonly sign?: () => Readonly<Record<string, string>>;
  /** Shorter or longer than the limits say. */
  readonly requestMs?: number;
  /** Whether the answer is a text; then `json` is that text. */
  readonly isText?: boolean;
}

export interface ProviderAnswer {
  readonly headers: IncomingHttpHeaders;
  /** Undefined for an answer without a body. */
  readonly json: JsonValue | undefined;
}

/** Asks one provider with one set of credentials. Every failure is a ProviderError; close it when the run is over. */
export interface ProviderClient {
  readonly limits: ProviderLimits;
  /** What has been kept of all its lists, for the bound on them together. */
  readonly kept: { bytes: number };
  ask(question: ProviderQuestion): Promise<ProviderAnswer>;
  close(): void;
}

const redirectsMax = 5;
const backOff = { firstMs: 500, maxMs: 8_000 };
const detailLengthMax = 300;

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { limits } = options;
  const connections = openConnections(options.trust, { connectionsMax: limits.parallelMax, proxyEnvironment: options.proxyEnvironment });
  return {
    limits,
    kept: { bytes: 0 },
    ask: (question) => askPatiently(options, connections, question),
    close: () => connections.close(),
  };
}

/** Asks again where another attempt may help: nobody answered, the provider broke, or it wants a pause that is short. */
async function askPatiently(options: ProviderClientOptions, connections: Connections, question: ProviderQuestion): Promise<ProviderAnswer> {
  const { limits, clock, timers, signal, random } = options;
  const url = parseAddress(question.url);
  const quietKey = `${url.origin} ${digest(JSON.stringify(options.headers))}`;
  for (let attempt = 1; ; attempt++) {
    checkQuiet(options, quietKey, url);
    const outcome = await attemptOnce(options, connections, question).catch((error: unknown) => toFailure(options, url, error));
    if (signal.aborted) throw new ProviderError(`${describe(url)}: it was not answered in time`, { cause: signal.reason });
    if (!(outcome instanceof ProviderError) && outcome.status < 400) return readAnswer(options, question, outcome);
    const wantedMs = outcome instanceof ProviderError ? undefined : readWantedPause({ ...outcome, nowMs: clock.nowMs() });
    const failure = outcome instanceof ProviderError ? outcome : toRefusal(options, question, outcome);
    if (wantedMs !== undefined && wantedMs > limits.pauseMsMax) {
      options.memory.quietUntilMs.set(quietKey, clock.nowMs() + wantedMs);
      throw rateLimited(url, wantedMs);
    }
    const isPassing = wantedMs !== undefined || isPassingFailure(failure);
    if (!isPassing || attempt >= limits.attemptsMax) throw failure;
    await pause(timers, Math.max(wantedMs ?? 0, backOffMs(backOff, attempt, random)), signal);
  }
}

/** AWS tells with 400 that it is asked too often. */
const throttling = /Throttl|TooManyRequests|RequestLimitExceeded/;

function isPassingFailure({ status, reason }: ProviderError): boolean {
  return status === undefined || status >= 500 || status === 429 || throttling.test(reason);
}

function checkQuiet({ memory, clock }: ProviderClientOptions, key: string, url: URL): void {
  const leftMs = (memory.quietUntilMs.get(key) ?? 0) - clock.nowMs();
  if (leftMs > 0) throw rateLimited(url, leftMs);
}

function rateLimited(url: URL, leftMs: number): ProviderError {
  return new ProviderError(`${describe(url)}: rate limit exceeded, it may be asked again in ${Math.ceil(leftMs / 1_000)}s`, {
    status: 429,
  });
}

async function attemptOnce(options: ProviderClientOptions, connections: Connections, question: ProviderQuestion): Promise<RawAnswer> {
  const { limits, memory, timers, signal } = options;
  const method = question.method ?? 'GET';
  const key = `${digest(JSON.stringify(options.headers))} ${question.url}`;
  const known = method === 'GET' && question.sign === undefined ? memory.kept.get(key) : undefined;
  const over = new AbortController();
  const limitMs = question.requestMs ?? limits.requestMs;
  const cancel = timers.schedule(limitMs, () => over.abort(new Error(`no answer within ${Math.round(limitMs / 1_000)}s`)));
  try {
    const answer = await followRedirects(connections, {
      method,
      url: parseAddress(question.url),
      headers: {
        'user-agent': 'argocd-applicationset',
        ...options.headers,
        ...question.headers,
        ...question.sign?.(),
        ...(known && { 'if-none-match': known.etag }),
      },
      body: question.body,
      bodyBytesMax: limits.bodyBytesMax,
      signal: AbortSignal.any([signal, over.signal]),
    });
    if (known !== undefined && answer.status === 304) return { ...known.answer, headers: { ...known.answer.headers, ...answer.headers } };
    const { etag } = answer.headers;
    const isKept = method === 'GET' && answer.status === 200 && question.sign === undefined && !isLastPage(answer);
    if (isKept && etag !== undefined) memory.kept.set(key, { etag, answer });
    return answer;
  } catch (error) {
    if (over.signal.aborted) throw over.signal.reason;
    throw error;
  } finally {
    cancel();
  }
}

/**
 * A list whose headers name no next page. Its tag is that of the body alone: when the list grows by a page, the body of this one need not
 * change, and what is new would never be seen. So it is always asked for anew.
 */
function isLastPage({ headers, body }: RawAnswer): boolean {
  const hasNext = nextLink(headers) !== undefined || Boolean(headers['x-next-page']);
  return body[0] === '['.charCodeAt(0) && !hasNext;
}

/** Credentials go nowhere but to the provider they are for, so only its own address may be pointed to. */
async function followRedirects(connections: Connections, request: Parameters<Connections['send']>[0]): Promise<RawAnswer> {
  let { url } = request;
  for (let hops = 0; ; hops++) {
    const answer = await connections.send({ ...request, url });
    const { location } = answer.headers;
    if (request.method !== 'GET' || ![301, 302, 307, 308].includes(answer.status) || location === undefined) return answer;
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next?.origin !== url.origin)
      throw new ProviderError('it points to another server, which is not followed', { status: answer.status });
    if (hops >= redirectsMax) throw new ProviderError('it points elsewhere too often', { status: answer.status });
    url = next;
  }
}

function readAnswer(options: ProviderClientOptions, question: ProviderQuestion, { headers, body, status }: RawAnswer): ProviderAnswer {
  const url = parseAddress(question.url);
  if (status >= 300) throw new ProviderError(`${describe(url)}: ${status} ${STATUS_CODES[status] ?? ''}`, { status });
  if (body.length === 0) return { headers, json: undefined };
  if (question.isText === true) return { headers, json: body.toString() };
  try {
    return { headers, json: JSON.parse(body.toString()) as JsonValue };
  } catch {
    const said = options.repeatsTexts ? `: ${clean(options, body.toString())}` : '';
    throw new ProviderError(`${describe(url)}: the answer is not JSON${said}`, { status });
  }
}

/** What never became an answer. */
function toFailure(options: ProviderClientOptions, url: URL, error: unknown): ProviderError {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const known = error instanceof ProviderError ? { status: error.status ?? 0 } : {};
  return new ProviderError(`${describe(url)}: ${clean(options, text)}`, { ...known, cause: error });
}

function toRefusal(options: ProviderClientOptions, { url, method = 'GET' }: ProviderQuestion, { status, body }: RawAnswer): ProviderError {
  const { message, reason } = readDetail(body.toString(), options);
  const words = `${status} ${STATUS_CODES[status] ?? ''}${message === '' ? '' : `: ${message}`}`;
  return new ProviderError(clean(options, `${method} ${describe(parseAddress(url))}: ${words}`), {
    status,
    reason,
    detail: clean(options, message),
  });
}

/** Where providers put what they have to say about a failure. */
function readDetail(
  text: string,
  { repeatsTexts }: Pick<ProviderClientOptions, 'repeatsTexts'>,
): { readonly message: string; readonly reason: string } {
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(text) as JsonValue;
  } catch {
    return { message: repeatsTexts ? text.slice(0, detailLengthMax) : '', reason: '' };
  }
  if (!isJsonObject(parsed)) return { message: '', reason: '' };
  const { error, errors, message, Message, typeKey, __type } = parsed;
  const first = Array.isArray(errors) ? (errors[0] as JsonValue) : undefined;
  const places = [
    message,
    Message,
    error,
    isJsonObject(error) ? error['message'] : undefined,
    isJsonObject(first) ? first['message'] : first,
  ];
  const said = places.filter((one) => typeof one === 'string').find((one) => one !== '') ?? '';
  const reason = [typeKey, __type].find((one) => typeof one === 'string') ?? '';
  return { message: said.slice(0, detailLengthMax), reason: reason.split('#').at(-1) ?? '' };
}

/** On one line, and without the credentials, which a provider may repeat. */
function clean({ secrets }: ProviderClientOptions, text: string): string {
  const known = secrets.filter((secret) => secret.length > 3);
  const hidden = known.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return hidden
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 2 * detailLengthMax);
}

/** An address without what may be secret in it. */
function describe(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ProviderError('the address of a provider must begin with http:// or https://', { status: 400 });
  return url;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
