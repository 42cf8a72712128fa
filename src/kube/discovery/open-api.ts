import { abortable, ApiError, Code, LruMap } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { CallOptions } from '../kube-api.ts';
import { objectOf, textOf } from './aggregated.ts';

const ROOT = '/openapi/v3';
const INDEX_KEEP_MS = 60_000;
/** A parsed document takes megabytes; whoever needs it longer keeps what they need of it. */
const DOCUMENTS_MAX = 1;

export interface OpenApiOptions {
  readonly get: (path: string) => Promise<JsonObject>;
  readonly clock: Clock;
}

export interface OpenApiReader {
  readonly openApi: (groupVersion: string, options?: CallOptions) => Promise<JsonObject | undefined>;
  readonly openApiHashes: (options?: CallOptions) => Promise<ReadonlyMap<string, string>>;
}

/** Documents of one group version each, fetched when asked for. The index names each by a hash, which tells when it has changed. */
export function createOpenApiReader({ get, clock }: OpenApiOptions): OpenApiReader {
  const documents = new LruMap<string, Promise<JsonObject>>(DOCUMENTS_MAX);
  let index: { readonly paths: JsonObject; readonly untilMs: number } | undefined;

  async function readIndex(): Promise<JsonObject> {
    if (index && clock.nowMs() < index.untilMs) return index.paths;
    const paths = await get(ROOT).then(
      (answer) => objectOf(answer['paths']),
      (error: unknown) => {
        // A server before 1.24 has none of this.
        if (isStatusError(error, 'NotFound')) return {};
        throw error;
      },
    );
    index = { paths, untilMs: clock.nowMs() + INDEX_KEEP_MS };
    return paths;
  }

  /**
   * A document that changed after the index was read is elsewhere now, and under its old name only a redirect, which is not followed.
   * While definitions come and go, so it is with one just read from the index: without a hash the newest is answered.
   */
  async function read(groupVersion: string): Promise<JsonObject | undefined> {
    try {
      return await readNamed(groupVersion);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== Code.Unavailable) throw error;
      index = undefined;
      return await readNamed(groupVersion, { newest: true });
    }
  }

  async function readNamed(groupVersion: string, { newest = false } = {}): Promise<JsonObject | undefined> {
    const paths = await readIndex();
    const name = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`;
    if (!Object.hasOwn(paths, name)) return undefined;
    const place = textOf(objectOf(paths[name])['serverRelativeURL']);
    // The index comes from outside and must not send us, with our credentials, to any other place.
    const path = place.startsWith(`${ROOT}/`) && !newest ? place : `${ROOT}/${name}`;
    if (newest) return await get(path);
    const loading = documents.get(path) ?? get(path);
    documents.set(path, loading);
    try {
      return await loading;
    } catch (error) {
      documents.delete(path);
      throw error;
    }
  }

  async function readHashes(): Promise<ReadonlyMap<string, string>> {
    index = undefined;
    const paths = await readIndex();
    return new Map(
      Object.entries(paths).flatMap(([name, entry]) => {
        const [root, ...groupVersion] = name.split('/');
        if (root !== 'api' && root !== 'apis') return [];
        return [[groupVersion.join('/'), /[?&]hash=([^&]*)/.exec(textOf(objectOf(entry)['serverRelativeURL']))?.[1] ?? ''] as const];
      }),
    );
  }

  return {
    openApi: (groupVersion, { signal } = {}) => abortable(read(groupVersion), signal),
    openApiHashes: ({ signal } = {}) => abortable(readHashes(), signal),
  };
}
