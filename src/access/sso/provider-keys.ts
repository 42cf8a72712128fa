import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { createLocalJWKSet, type LocalJWKSet } from 'jose/jwks/local';
import { ApiError, Code, type Clock } from '../../base/index.ts';
import type { ProviderFetch } from './provider-fetch.ts';

/** Keys are asked for anew after this time, and sooner when a token names one that is not known. */
const maxAgeMs = 10 * 60_000;
/** No more often than this: anybody can send tokens that name keys. */
const pauseMs = 1_000;
/** How often keys that are known are asked for anew while that fails: somebody waits for it each time. */
const failurePauseMs = 30_000;
/** For how long keys count that cannot be asked for anew. Not for ever: one of them may have been taken back. */
const keptMs = 24 * 60 * 60_000;

export interface ProviderKeysOptions {
  readonly address: string;
  readonly fetch: ProviderFetch;
  readonly clock: Clock;
  /** Called when keys could not be asked for anew, and those that are known stay in use. */
  readonly onKept: (error: unknown) => void;
}

/**
 * The keys that a provider signs with. While it is away, those that are known go on to count: whoever is signed in is not locked out
 * with those who want to sign in. Rejects where there are none, or none that a token names.
 */
export function createProviderKeys({ address, fetch, clock, onKept }: ProviderKeysOptions): JWTVerifyGetKey {
  let known: { readonly find: LocalJWKSet; readonly atMs: number } | undefined;
  let failed: { readonly error: Error; readonly atMs: number } | undefined;
  let running: Promise<LocalJWKSet> | undefined;

  async function load(): Promise<LocalJWKSet> {
    try {
      const find = createLocalJWKSet(await fetchKeys(address, fetch));
      known = { find, atMs: clock.nowMs() };
      failed = undefined;
      return find;
    } catch (error) {
      failed = { error: error instanceof Error ? error : new Error('the keys cannot be read', { cause: error }), atMs: clock.nowMs() };
      throw error;
    } finally {
      running = undefined;
    }
  }

  async function currentKeys(): Promise<LocalJWKSet> {
    const kept = known;
    const nowMs = clock.nowMs();
    if (kept !== undefined && nowMs - kept.atMs < maxAgeMs) return kept.find;
    if (kept === undefined || nowMs - kept.atMs >= keptMs) return (running ??= load());
    if (failed !== undefined && nowMs - failed.atMs < failurePauseMs) return kept.find;
    try {
      return await (running ??= load());
    } catch (error) {
      onKept(error);
      return kept.find;
    }
  }

  return async (header, token) => {
    const find = await currentKeys();
    try {
      return await find(header, token);
    } catch (error) {
      const nowMs = clock.nowMs();
      if (!isUnknownKey(error) || (known !== undefined && nowMs - known.atMs < pauseMs)) throw error;
      // It may well be a new key: that it cannot be asked for is no reason to call the token bad.
      if (failed !== undefined && nowMs - failed.atMs < pauseMs) throw failed.error;
    }
    const findAnew = await (running ??= load());
    return findAnew(header, token);
  };
}

/** A list without keys is taken for a failure: with it, everybody would be signed out. */
async function fetchKeys(address: string, fetch: ProviderFetch): Promise<JSONWebKeySet> {
  const answer = await fetch(address, { headers: { accept: 'application/json, application/jwk-set+json' } });
  if (answer.status !== 200) throw new ApiError(Code.Unavailable, `it answers with ${answer.status} when it is asked for its keys`);
  const { keys } = await readObject(answer);
  if (!Array.isArray(keys) || keys.length === 0) throw new ApiError(Code.Unavailable, 'it names no keys');
  return { keys: keys as JSONWebKeySet['keys'] };
}

async function readObject(answer: Response): Promise<{ readonly keys?: unknown }> {
  try {
    const content: unknown = await answer.json();
    return typeof content === 'object' && content !== null ? (content as { readonly keys?: unknown }) : {};
  } catch {
    // Not JSON, so there are no keys in it.
    return {};
  }
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
}
