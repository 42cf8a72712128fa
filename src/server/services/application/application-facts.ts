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
  /** Whether somebody should look: what is on its way, or was put aside on purpose, can wait. */
  readonly needsAttention: boolean;
}

const CONTENT: ReadonlySet<string> = new Set(['Healthy', 'Progressing', 'Suspended']);
const FAILED: ReadonlySet<string> = new Set(['Failed', 'Error']);
const TEXTS_MAX = 20_000;

const read = new WeakMap<Application, ApplicationFacts>();

export function factsOf(application: Application): ApplicationFacts {
  let facts = read.get(application);
  if (facts === undefined) read.set(application, (facts = readFacts(application)));
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
    health: share(status?.health?.status ?? 'Unknown'),
    sync: share(status?.sync?.status ?? 'Unknown'),
    isAutoSynced: automated !== undefined && automated.enabled !== false,
    cluster: share(spec.destination.server || spec.destination.name || ''),
    destinationNamespace: share(spec.destination.namespace ?? ''),
    repos: sourcesOf(application).map(({ repoURL }) => share(repoURL)),
    needsAttention: needsAttention(application),
  };
}

const texts = new Map<string, string>();

/** The same text for all who have it: thousands of copies would be compared letter by letter whenever they are counted. */
function share(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(text, text);
  return text;
}

function needsAttention({ status }: Application): boolean {
  const { sync, health, conditions = [], operationState } = status ?? {};
  return (
    sync?.status !== 'Synced' ||
    !CONTENT.has(health?.status ?? '') ||
    FAILED.has(operationState?.phase ?? '') ||
    conditions.some(({ type }) => type.endsWith('Error'))
  );
}
