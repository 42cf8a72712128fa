import { sourcesOf, type Application } from '../../../model/index.ts';

/** What lists ask of every application, read once for each version of it: among ten thousand the looking about would cost more than the answer. */
export interface ApplicationFacts {
  readonly name: string;
  /** For searches. */
  readonly lowerName: string;
  readonly namespace: string;
  readonly createdAt: string;
  readonly syncedAt: string;
  readonly health: string;
  readonly sync: string;
  readonly isAutoSynced: boolean;
  /** As the destination gives it: by server, or by name. */
  readonly cluster: string;
  readonly destinationNamespace: string;
  readonly repos: readonly string[];
}

const known = new WeakMap<Application, ApplicationFacts>();

export function factsOf(application: Application): ApplicationFacts {
  let facts = known.get(application);
  if (facts === undefined) known.set(application, (facts = readFacts(application)));
  return facts;
}

function readFacts(application: Application): ApplicationFacts {
  const { metadata, spec, status } = application;
  const { name = '', namespace = '', creationTimestamp } = metadata;
  const automated = spec.syncPolicy?.automated;
  return {
    name,
    lowerName: name.toLowerCase(),
    namespace,
    createdAt: creationTimestamp ?? '',
    syncedAt: status?.operationState?.finishedAt ?? '',
    health: status?.health?.status ?? 'Unknown',
    sync: status?.sync?.status ?? 'Unknown',
    isAutoSynced: automated !== undefined && automated.enabled !== false,
    cluster: spec.destination.server || spec.destination.name || '',
    destinationNamespace: spec.destination.namespace ?? '',
    repos: sourcesOf(application).map(({ repoURL }) => repoURL),
  };
}
