import { LruMap } from '../base/index.ts';
import { idsOfGeneratePaths } from './generate-paths.ts';
import type { Place } from './render-context.ts';
import { resultKey } from './results/result-cache.ts';
import type { RenderRequest } from './sources.ts';

/**
 * The commit that manifests are made for. Where an application says what they are made from, it is the one that was there when that last
 * changed: later ones touch nothing of it, and variables that name the commit would make others of what is the same.
 */
export type GenerationOf = (request: RenderRequest, place: Place) => Generation;

interface Generation {
  readonly revision: string;
  /** Lets it be the last from now on. Only there where it is another than the last. */
  readonly begin?: () => void;
}

const GENERATIONS_MAX = 10_000;

/**
 * Of each source of an application only the last is known, so that what is brought back is not taken for what it once was. Whoever asks
 * says whether it begins: somebody may ask for what an old commit would give, and a new one may give nothing.
 */
export function createGenerations(): GenerationOf {
  const generations = new LruMap<string, { readonly contents: string; readonly revision: string }>(GENERATIONS_MAX);
  return (request, place) => {
    const { source, application, revision, manifestGeneratePaths = '', hard = false } = request;
    const ids = idsOfGeneratePaths(place, manifestGeneratePaths);
    if (ids === undefined || request.upload !== undefined) return { revision };
    const key = resultKey(JSON.stringify([source, application]));
    const contents = resultKey(ids);
    const last = generations.get(key);
    if (last?.contents === contents && !hard) return { revision: last.revision };
    return { revision, begin: () => generations.set(key, { contents, revision }) };
  };
}
