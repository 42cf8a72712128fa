import type { LiveRow } from '../../clusters/index.ts';
import { formatKey, linksOf, toResourceStatus, type ResourceFacts } from '../../engine/index.ts';
import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type ApplicationCondition,
  type ApplicationStatus,
  type ApplicationSummary,
  type ResourceStatus,
} from '../../model/index.ts';
import { isJsonObject, sameJson, type KubeObject } from '../../objects/index.ts';
import type { ComparedApplication, Comparison } from './compare.ts';
import { comparisonTypes, mergeConditions } from './conditions.ts';
import { listedKey, type SeenLive } from './see-live.ts';

export interface StatusInput {
  readonly application: Application;
  readonly comparison: Comparison;
  /** The namespace of the control plane. */
  readonly namespace: string;
  readonly now: string;
  /** Whether the revisions were asked for, and not only what was known compared anew. */
  readonly isReconciled: boolean;
  /** Whether the health of resources is written down with them. */
  readonly isHealthPersisted: boolean;
  /** Whether an error that is told already stays in the words that it is told in: another controller may have chosen them. */
  readonly keepsWords: boolean;
}

/** The status of an application after a comparison. What the comparison does not decide stays as it is. */
export function buildStatus(input: StatusInput): ApplicationStatus {
  const { application, comparison, namespace, now } = input;
  const before = application.status ?? {};
  const found = comparison.kind === 'compared' ? describeCompared(input, comparison) : describeUnknown(input);
  const { health: healthCode, ...rest } = found;
  const health = before.health?.status === healthCode ? before.health : { status: healthCode, lastTransitionTime: now };
  const told = input.keepsWords ? inTheirWords(comparison.problems, before.conditions ?? []) : comparison.problems;
  const conditions = mergeConditions(before.conditions ?? [], told, comparisonTypes, now);
  const { conditions: _before, ...kept } = before;
  const isFirst = !before.reconciledAt;
  return {
    ...kept,
    ...rest,
    health,
    ...(conditions.length > 0 && { conditions }),
    // Of what could not be looked at it is not said when, and by whom, it was.
    ...(comparison.kind !== 'invalid' && { controllerNamespace: namespace }),
    ...((isFirst ? comparison.kind !== 'invalid' : input.isReconciled) && { reconciledAt: now }),
  };
}

/** The same problems, errors of a type that is told already in the words that they are told in. */
function inTheirWords(problems: Comparison['problems'], before: readonly ApplicationCondition[]): Comparison['problems'] {
  const told = before.filter(({ type }) => type.endsWith('Error') && problems.some((problem) => problem.type === type));
  return [...told, ...problems.filter(({ type }) => !told.some((one) => one.type === type))];
}

type Found = Pick<ApplicationStatus, 'sync' | 'resources' | 'summary' | 'sourceType' | 'sourceTypes' | 'resourceHealthSource'> & {
  readonly health: string;
};

function describeCompared(input: StatusInput, compared: ComparedApplication): Found {
  const { application, isHealthPersisted } = input;
  const before = application.status ?? {};
  const { target, result, cluster } = compared;
  const several = hasMultipleSources(application);
  const options = application.spec.syncPolicy?.syncOptions ?? [];
  const hasFailed = compared.problems.some(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  return {
    sync: {
      status: hasFailed ? 'Unknown' : isNamespaceOutOfSync(application) ? 'OutOfSync' : result.status,
      comparedTo: comparedTo(application),
      ...(several ? { revisions: [...target.revisions] } : { revision: target.revisions[0] ?? '' }),
    },
    health: result.health,
    ...unlessEmpty(
      'resources',
      before.resources,
      result.resources.map((resource) => toEntry(input, toResourceStatus(resource, options))),
    ),
    ...(!isHealthPersisted && { resourceHealthSource: 'appTree' }),
    ...unlessEmpty(
      'summary',
      before.summary,
      summarize(application, cluster.cache.tree(result.resources.filter(({ live }) => live !== undefined))),
    ),
    ...(several ? { sourceTypes: [...target.sourceTypes] } : { sourceType: target.sourceTypes[0] ?? '' }),
  };
}

/** Whether the namespace that an application made is to have other labels and annotations than it was given. */
function isNamespaceOutOfSync({ spec, status }: Application): boolean {
  const wanted = spec.syncPolicy?.managedNamespaceMetadata;
  const { syncResult } = status?.operationState ?? {};
  if (!wanted || !syncResult) return false;
  return !sameJson(wanted, syncResult.managedNamespaceMetadata ?? {});
}

/** What is empty is not told, unless to take back what was told before. */
function unlessEmpty<Name extends string, Value extends object>(
  name: Name,
  before: unknown,
  value: Value,
): { readonly [Key in Name]?: Value } {
  return before !== undefined || Object.keys(value).length > 0 ? ({ [name]: value } as { readonly [Key in Name]: Value }) : {};
}

/**
 * Where the health of resources is not written down, whoever shows an application takes it from what lives. That of the application itself,
 * where it is among its own resources, is told elsewhere in the status.
 */
function toEntry({ application: { metadata }, isHealthPersisted }: StatusInput, entry: ResourceStatus): ResourceStatus {
  const isItself =
    entry.kind === 'Application' && entry.group === 'argoproj.io' && entry.name === metadata.name && entry.namespace === metadata.namespace;
  if (isHealthPersisted && !isItself) return entry;
  const { health: _health, ...rest } = entry;
  return rest;
}

/** What cannot be looked at is neither in sync nor out of it. What else was found before stays. */
function describeUnknown(input: StatusInput): Found {
  const { application, comparison } = input;
  const before = application.status ?? {};
  const { comparedTo: _before, ...revisions } = before.sync ?? {};
  if (comparison.kind === 'invalid') return { sync: { ...before.sync, status: 'Unknown' }, health: 'Unknown' };
  const seen = comparison.kind === 'failed' && comparison.seen?.isComplete === true ? describeSeen(input, comparison.seen) : undefined;
  return {
    sync: { ...revisions, status: 'Unknown', comparedTo: comparedTo(application) },
    health: before.health?.status ?? 'Unknown',
    ...(before.resources && { resources: before.resources.map((entry) => ({ ...entry, status: 'Unknown' })) }),
    ...seen,
  };
}

/** How what lives is, where nobody knows what is wanted. What was wanted before may still be: it stays in the list, also where it is gone. */
function describeSeen(input: StatusInput, { result, cluster, unmarked }: SeenLive): Partial<Found> {
  const { application, isHealthPersisted } = input;
  const { spec, status: before = {} } = application;
  const { resources: listed = [] } = before;
  const options = spec.syncPolicy?.syncOptions ?? [];
  const entries = new Map(result.resources.map((resource) => [formatKey(resource), toEntry(input, toResourceStatus(resource, options))]));
  for (const entry of listed) {
    const key = formatKey(listedKey(entry));
    const health = healthOfListed(entry, { marked: entries.get(key), other: unmarked.get(key), isHealthPersisted });
    entries.set(key, { ...entry, status: 'Unknown', ...(health && { health }) });
  }
  const resources = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
  const others = [...unmarked.values()].filter((one) => one !== 'gone');
  const roots = [...result.resources, ...others.map(({ type: { group, kind }, namespace, name }) => ({ group, kind, namespace, name }))];
  const isGone = listed.length > 0 && listed.every((entry) => unmarked.get(formatKey(listedKey(entry))) === 'gone');
  return {
    ...unlessEmpty('resources', before.resources, resources),
    ...unlessEmpty('summary', before.summary, summarize(application, cluster.cache.tree(roots))),
    ...(roots.length > 0 ? { health: result.health } : isGone && { health: 'Missing' }),
  };
}

interface FoundOfListed {
  readonly marked: ResourceStatus | undefined;
  readonly other: LiveRow | 'gone' | undefined;
  readonly isHealthPersisted: boolean;
}

/** That of what lives; what was found before where that cannot be told. */
function healthOfListed(entry: ResourceStatus, { marked, other, isHealthPersisted }: FoundOfListed): ResourceStatus['health'] {
  if (marked !== undefined) return marked.health ?? entry.health;
  if (!isHealthPersisted || !entry.health || other === undefined) return entry.health;
  return other === 'gone' ? { status: 'Missing' } : (other.health ?? entry.health);
}

function comparedTo(application: Application): NonNullable<NonNullable<ApplicationStatus['sync']>['comparedTo']> {
  const { destination, ignoreDifferences } = application.spec;
  const sources = sourcesOf(application);
  // Others write an empty one beside several: it says nothing, and is not worth a write.
  const [source] = hasMultipleSources(application)
    ? [application.status?.sync?.comparedTo?.source].filter((one) => one?.repoURL === '')
    : sources;
  return {
    ...(source && { source }),
    ...(hasMultipleSources(application) && { sources: [...sources] }),
    destination,
    ...(ignoreDifferences && ignoreDifferences.length > 0 && { ignoreDifferences }),
  };
}

interface Row {
  readonly row: { readonly type: { readonly group: string; readonly kind: string }; readonly facts: unknown };
}

function summarize(application: Application, rows: readonly Row[]): ApplicationSummary {
  const images = new Set<string>();
  const links = new Set(linksOf(application as unknown as KubeObject));
  let isAppOfApps = false;
  for (const { row } of rows) {
    if (row.type.kind === 'Application' && row.type.group === 'argoproj.io') isAppOfApps = true;
    if (!isJsonObject(row.facts)) continue;
    const facts = row.facts as ResourceFacts;
    for (const image of facts.images ?? []) images.add(image);
    for (const url of facts.networkingInfo?.externalURLs ?? []) links.add(url);
  }
  return {
    ...(images.size > 0 && { images: [...images].sort() }),
    ...(links.size > 0 && { externalURLs: [...links].sort() }),
    ...(isAppOfApps && { isAppOfApps }),
  };
}
