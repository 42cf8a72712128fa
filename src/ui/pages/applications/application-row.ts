import type { Application } from '../../../contract/gen/types.ts';

/** As much of an application as a list shows. */
export type ApplicationRow = Application;

const PATHS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.resourceVersion',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'spec.project',
  'spec.destination',
  'spec.source.repoURL',
  'spec.source.path',
  'spec.source.chart',
  'spec.source.targetRevision',
  'spec.sources.repoURL',
  'spec.sources.path',
  'spec.sources.chart',
  'spec.sources.targetRevision',
  'spec.syncPolicy.automated',
  'status.sync.status',
  'status.sync.revision',
  'status.sync.revisions',
  'status.health',
  'status.conditions',
  'status.operationState.phase',
  'status.operationState.message',
  'status.operationState.startedAt',
  'status.operationState.finishedAt',
];

/** For lists. */
export const rowFields = ['metadata.resourceVersion', 'stats', ...PATHS.map((path) => `items.${path}`)].join(',');

/** For watches. */
export const eventFields = ['result.type', ...PATHS.map((path) => `result.application.${path}`)].join(',');

export function keyOfRow({ metadata }: ApplicationRow): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Where it comes from, in one line: the path or chart of its first source. */
export function describeSource({ spec }: ApplicationRow): {
  readonly repository: string;
  readonly place: string;
  readonly revision: string;
  readonly more: number;
} {
  const sources = spec.sources ?? [];
  const first = sources[0] ?? spec.source;
  return {
    repository: first?.repoURL ?? '',
    place: first?.chart || first?.path || '',
    revision: first?.targetRevision || 'HEAD',
    more: Math.max(0, sources.length - 1),
  };
}

export function describeDestination({ spec: { destination } }: ApplicationRow): string {
  const server = destination.name || (destination.server === 'https://kubernetes.default.svc' ? 'in-cluster' : (destination.server ?? ''));
  return destination.namespace ? `${server}/${destination.namespace}` : server;
}

/** The object of the policy that permissions name. */
export function policyObject({ metadata, spec }: ApplicationRow): string {
  return `${spec.project}/${metadata.name}`;
}
