import type { Application, ApplicationSource, ApplicationSpec } from '../contract/index.ts';

/**
 * The sources of an application: `sources` where there are any; else the branch that a hydrator writes to; else the one source. None where
 * the spec has none at all.
 */
export function sourcesOf(application: Application): readonly ApplicationSource[] {
  return sourcesOfSpec(application.spec);
}

export function sourcesOfSpec({ source, sources, sourceHydrator }: ApplicationSpec): readonly ApplicationSource[] {
  if (sourceHydrator) {
    const { drySource, syncSource } = sourceHydrator;
    return [{ repoURL: syncSource.repoURL || drySource.repoURL, path: syncSource.path, targetRevision: syncSource.targetBranch }];
  }
  if (sources && sources.length > 0) return sources;
  return source ? [source] : [];
}

/** Several sources are written to `revisions`, `sources` and `sourceTypes` of the status, a single one to their singular forms. */
export function hasMultipleSources({ spec }: Application): boolean {
  return !spec.sourceHydrator && (spec.sources?.length ?? 0) > 0;
}
