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
  return address
    .toLowerCase()
    .replace(/^oci:\/\//, '')
    .replace(/\/+$/, '');
}
