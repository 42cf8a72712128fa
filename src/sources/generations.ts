import { LruMap } from '../base/index.ts';
import { idsOfGeneratePaths } from './generate-paths.ts';
import type { Place } from './render-context.ts';
import { resultKey } from './results/result-cache.ts';
import type { RenderRequest } from './sources.ts';

/**
 * The commit that manifests are made for. Where an application says what they are made from, it is the one that was there when that last
 * changed: later ones touch nothing of it, and variables that name the commit would make others of what is the same.
 */
export type GenerationOf = (request: RenderRequest, place: Place) => string;

const GENERATIONS_MAX = 10_000;

export function createGenerations(): GenerationOf {
  const generations = new LruMap<string, string>(GENERATIONS_MAX);
  return (request, place) => {
    const { source, application, revision, manifestGeneratePaths = '', hard = false } = request;
    const ids = idsOfGeneratePaths(place, manifestGeneratePaths);
    if (ids === undefined || request.upload !== undefined) return revision;
    const key = resultKey([JSON.stringify([source, application]), ids]);
    const known = hard ? undefined : generations.get(key);
    if (known === undefined) generations.set(key, revision);
    return known ?? revision;
  };
}
