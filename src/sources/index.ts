/** From a URL to manifests: repositories, revisions, and rendering of directories, Helm and Kustomize with a cache by content. */
export { createSources } from './create-sources.ts';
export { defaultSourceLimits } from './limits.ts';
export { findIntegrity, requireNoIntegrity } from './integrity/find-integrity.ts';
export { installPrograms } from './programs/install-programs.ts';
export { extendSearchPath, renderPrograms } from './programs/programs.ts';
export { readRenderSettings } from './render-settings.ts';
export { findAccess, findNamedRepository } from './repositories/find-access.ts';
export type { IntegrityPolicy } from './integrity/find-integrity.ts';
export type { RepositorySettings } from './repositories/find-access.ts';
export type { SourceLimits } from './limits.ts';
export type { RepositoryAccess, RepositoryType } from './repository-access.ts';
export type {
  DependencySettings,
  ReferencedSource,
  Rendered,
  RenderRequest,
  RenderSettings,
  RepositoryRefs,
  ResolvedRevision,
  ResolveOptions,
  RevisionFiles,
  Sources,
  SourcesOptions,
  SourceType,
  ToolPlaces,
} from './sources.ts';
