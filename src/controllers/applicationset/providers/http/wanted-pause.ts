import type { IncomingHttpHeaders } from 'node:http';

/** A wish beyond this is a mistake of the provider. */
const pauseMsMax = 3_600_000;

export interface PauseInput {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** On the wall, because providers tell points in time. */
  readonly nowMs: number;
}

/**
 * How long a provider wants to be left alone: undefined where it does not say, or where its answer is no refusal for asking too often. A
 * refusal with 403 is one only if it says that nothing is left, or when to come back.
 */
export function readWantedPause({ status, headers, nowMs }: PauseInput): number | undefined {
  const isRefusal = status === 429 || status === 503 || (status === 403 && (isUsedUp(headers) || headers['retry-after'] !== undefined));
  if (!isRefusal) return undefined;
  const after = readRetryAfter(one(headers['retry-after']), nowMs) ?? (isUsedUp(headers) ? readReset(headers, nowMs) : undefined);
  return after === undefined ? undefined : Math.min(Math.max(after, 0), pauseMsMax);
}

/** Whether the answer says that nothing is left. */
function isUsedUp(headers: IncomingHttpHeaders): boolean {
  return one(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']) === '0';
}

function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs - nowMs;
}

/** Seconds since the epoch at GitHub, GitLab and Azure DevOps. */
function readReset(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = one(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  return Number(text) * 1_000 - nowMs;
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
