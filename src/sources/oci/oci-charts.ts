import { ApiError, Code } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { signsInToRegistry } from '../sign-in/sign-in.ts';
import { openImage } from './open-image.ts';
import { findContentLayer, usualLayerTypes } from './read-image.ts';
import type { Registry } from './registry.ts';
import { findRegistryPlace, tagOfVersion } from './registry-place.ts';
import type { TagLists } from './tag-lists.ts';

interface ChartOf {
  readonly access: RepositoryAccess;
  readonly chart: string;
  readonly signal?: AbortSignal | undefined;
}

/** Helm charts that are kept in a registry. */
export interface OciCharts {
  /** The versions of a chart, which are its tags. */
  versions(wanted: ChartOf & { readonly fresh: boolean }): Promise<readonly string[]>;
  /** The packed chart. */
  fetch(wanted: ChartOf & { readonly version: string }): Promise<Buffer>;
  /** Throws where the registry does not take the credentials; without any nobody is asked. */
  test(access: RepositoryAccess, signal?: AbortSignal): Promise<void>;
}

export function createOciCharts({ registry, tags }: { readonly registry: Registry; readonly tags: TagLists }): OciCharts {
  return {
    async versions({ access, chart, fresh, signal }) {
      try {
        return await tags.list({ access, place: findRegistryPlace(access, chart), signal }, fresh);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
        throw new ApiError(Code.Unknown, `unable to get tags: ${error.message}`);
      }
    },
    async fetch({ access, chart, version, signal }) {
      const call = { access, place: findRegistryPlace(access, chart), signal };
      try {
        const layer = findContentLayer(await openImage(registry, call, tagOfVersion(version)), usualLayerTypes);
        if (!layer.isChart) throw new ApiError(Code.Unknown, `what is tagged ${version} is no chart`);
        return await registry.blob(call, layer);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
        throw new ApiError(Code.Unknown, `error fetching chart: failed to fetch chart: ${error.message}`);
      }
    },
    async test(access, signal) {
      if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(access.url))
        throw new ApiError(Code.Unknown, 'OCI Helm repository URL should include hostname and port only');
      const { origin } = findRegistryPlace(access);
      if (!signsInToRegistry(access)) return;
      await registry.ping({ access, place: { origin, repository: '' }, signal });
    },
  };
}
