import { trimEndOf } from '../../base/index.ts';
import { sourcesOf, type Application, type ApplicationSource } from '../../model/index.ts';
import { pickVersion } from '../../template/index.ts';
import { fromRoot, generatePathsAnnotation, matchesAnyPath, matchesFiles } from './match-files.ts';
import { matchRepository } from './match-repository.ts';
import { matchesRevision } from './match-revision.ts';
import type { PackageEvent, PushEvent } from './webhook-event.ts';

/** What a webhook means for an application: nothing, a refresh, or a refresh and that its dry source is to be hydrated anew. */
export type Concern = 'none' | 'refresh' | 'hydrate';

export function createApplicationMatcher(event: PushEvent | PackageEvent): (application: Application) => Concern {
  return event.type === 'push' ? matchPush(event) : matchPackage(event);
}

/**
 * Whether files of an application's own are among those that changed: they, and not the others of the same repository, are what somebody waits
 * for. It is a matter of order only.
 */
export function createTouchedMatcher(event: PushEvent | PackageEvent): (application: Application) => boolean {
  const files = event.type === 'push' ? event.changedFiles : undefined;
  if (files === undefined) return () => false;
  const folders = new Set<string>();
  for (const file of files) {
    const parts = fromRoot(file).split('/');
    for (let count = 1; count <= parts.length; count += 1) folders.add(parts.slice(0, count).join('/'));
  }
  return (application) => sourcesOf(application).some(({ path = '' }) => folders.has(fromRoot(path)));
}

function matchPush(event: PushEvent): (application: Application) => Concern {
  const isNamed = matchRepository(event.repositories);
  const isMoved = ({ repoURL, targetRevision = '', tagPrefix = '' }: ApplicationSource): boolean =>
    isNamed(repoURL) && matchesRevision(targetRevision, event, tagPrefix);
  return (application) => {
    const annotation = application.metadata.annotations?.[generatePathsAnnotation];
    const { sourceHydrator } = application.spec;
    const sources = sourcesOf(application);
    if (sourceHydrator === undefined) {
      const isConcerned = sources.some((source) => isMoved(source) && matchesFiles(annotation, source.path ?? '', event.changedFiles));
      return isConcerned ? 'refresh' : 'none';
    }
    const { drySource } = sourceHydrator;
    if (isMoved(drySource) && matchesFiles(annotation, drySource.path, event.changedFiles)) return 'hydrate';
    const isBelow = ({ path = '' }: ApplicationSource): boolean =>
      event.changedFiles === undefined || matchesAnyPath([fromRoot(path)], event.changedFiles);
    return sources.some((source) => isMoved(source) && isBelow(source)) ? 'refresh' : 'none';
  };
}

function matchPackage({ repository, tag }: PackageEvent): (application: Application) => Concern {
  const named = bareRegistry(repository);
  const isPublished = ({ repoURL, targetRevision = '' }: ApplicationSource): boolean =>
    bareRegistry(repoURL) === named && (targetRevision === tag || pickVersion(targetRevision, [tag]) !== undefined);
  return (application) => {
    const { sourceHydrator } = application.spec;
    if (sourceHydrator !== undefined && isPublished(sourceHydrator.drySource)) return 'hydrate';
    return sourcesOf(application).some(isPublished) ? 'refresh' : 'none';
  };
}

/** Registries are written with and without their scheme. */
function bareRegistry(address: string): string {
  return trimEndOf(address.toLowerCase().replace(/^oci:\/\//, ''), '/');
}
