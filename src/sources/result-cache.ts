import { createHash } from 'node:crypto';
import { canonicalJson } from '../objects/index.ts';
import type { JsonValue, KubeObject } from '../objects/index.ts';
import type { SourceLimits } from './limits.ts';

/** What rendering gave, without what depends on the commit. */
export interface RenderResult {
  readonly objects: readonly KubeObject[];
  readonly commands: readonly string[];
}

/** Results by what they were made from: a commit that does not touch that finds them again. */
export interface ResultCache {
  get(key: string): RenderResult | undefined;
  /** `characters` is about the size of its JSON. Answers with what is to be used from now on: it is frozen. */
  set(key: string, result: RenderResult, characters: number): RenderResult;
}

export function createResultCache({ resultsMax, resultsCharactersMax }: SourceLimits): ResultCache {
  const results = new Map<string, { readonly result: RenderResult; readonly characters: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= results.get(key)?.characters ?? 0;
    results.delete(key);
  }

  return {
    get(key) {
      const kept = results.get(key);
      if (kept === undefined) return undefined;
      // A Map keeps the order of insertion: what is used moves to the end, and the front goes first.
      results.delete(key);
      results.set(key, kept);
      return kept.result;
    },
    set(key, result, characters) {
      freeze(result);
      remove(key);
      results.set(key, { result, characters });
      total += characters;
      for (const oldest of results.keys()) {
        if (results.size <= resultsMax && total <= resultsCharactersMax) break;
        remove(oldest);
      }
      return result;
    },
  };
}

/** The name of a result: a hash of everything that it depends on. */
export function resultKey(parts: JsonValue): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

const digests = new WeakMap<readonly string[], string>();

/** The name of a long list that is asked for again and again: the API versions of a cluster. */
export function listDigest(list: readonly string[]): string {
  let digest = digests.get(list);
  if (digest === undefined) {
    digest = createHash('sha256').update(list.join('\n')).digest('hex');
    digests.set(list, digest);
  }
  return digest;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const entry of Object.values(value)) freeze(entry);
}
