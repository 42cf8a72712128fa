import type { Clock } from '../../base/index.ts';
import type { Archives } from '../charts/archives.ts';
import type { ArchiveForm } from '../charts/read-archive.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { SourceLimits } from '../limits.ts';
import type { SignInToRegistry } from '../sign-in/sign-in.ts';
import { createArtifacts } from './artifacts.ts';
import type { Artifacts } from './artifacts.ts';
import { createOciCharts } from './oci-charts.ts';
import type { OciCharts } from './oci-charts.ts';
import { usualLayerTypes } from './read-image.ts';
import { createRegistry } from './registry.ts';
import { createTagLists } from './tag-lists.ts';

export interface OciOptions {
  readonly get: HttpGet;
  readonly archives: Archives;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly signIn: SignInToRegistry;
  readonly bytesMaxOf: (form: ArchiveForm) => number;
  readonly layerTypes: (() => readonly string[]) | undefined;
}

/** What registries hold: artifacts, and charts of Helm. */
export function createOci(options: OciOptions): { readonly artifacts: Artifacts; readonly ociCharts: OciCharts } {
  const layerTypes = options.layerTypes ?? (() => usualLayerTypes);
  const registry = createRegistry(options);
  const tags = createTagLists({ ...options, registry });
  return { artifacts: createArtifacts({ ...options, layerTypes, registry, tags }), ociCharts: createOciCharts({ registry, tags }) };
}
