import { linksOf, toResourceStatus, type ResourceFacts } from '../../engine/index.ts';
import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type ApplicationStatus,
  type ApplicationSummary,
  type ResourceStatus,
} from '../../model/index.ts';
import { canonicalJson, isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { ComparedApplication, Comparison } from './compare.ts';
import { comparisonTypes, mergeConditions } from './conditions.ts';

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
}

/** The status of an application after a comparison. What the comparison does not decide stays as it is. */
export function buildStatus(input: StatusInput): ApplicationStatus {
  const { application, comparison, namespace, now } = input;
  const before = application.status ?? {};
  const found = comparison.kind === 'compared' ? describeCompared(input, comparison) : describeUnknown(input);
  const { health: healthCode, ...rest } = found;
  const health = before.health?.status === healthCode ? before.health : { status: healthCode, lastTransitionTime: now };
  const conditions = mergeConditions(before.conditions ?? [], comparison.problems, comparisonTypes, now);
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

type Found = Pick<ApplicationStatus, 'sync' | 'resources' | 'summary' | 'sourceType' | 'sourceTypes' | 'resourceHealthSource'> & {
  readonly health: string;
};

function describeCompared({ application, isHealthPersisted }: StatusInput, compared: ComparedApplication): Found {
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
    resources: result.resources.map((resource) => toEntry(toResourceStatus(resource, options), isHealthPersisted)),
    ...(!isHealthPersisted && { resourceHealthSource: 'appTree' }),
    summary: summarize(application, cluster.cache.tree(result.resources.filter(({ live }) => live !== undefined))),
    ...(several ? { sourceTypes: [...target.sourceTypes] } : { sourceType: target.sourceTypes[0] ?? '' }),
  };
}

/** Whether the namespace that an application made is to have other labels and annotations than it was given. */
function isNamespaceOutOfSync({ spec, status }: Application): boolean {
  const wanted = spec.syncPolicy?.managedNamespaceMetadata;
  const { syncResult } = status?.operationState ?? {};
  if (!wanted || !syncResult) return false;
  return toText(wanted) !== toText(syncResult.managedNamespaceMetadata ?? {});
}

function toText(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);
}

/** Where the health of resources is not written down, whoever shows an application takes it from what lives. */
function toEntry(entry: ResourceStatus, isHealthPersisted: boolean): ResourceStatus {
  if (isHealthPersisted) return entry;
  const { health: _health, ...rest } = entry;
  return rest;
}

/** What cannot be looked at is neither in sync nor out of it. What else was found before stays. */
function describeUnknown({ application, comparison }: StatusInput): Found {
  const before = application.status ?? {};
  const { comparedTo: _before, ...revisions } = before.sync ?? {};
  if (comparison.kind === 'invalid') return { sync: { ...before.sync, status: 'Unknown' }, health: 'Unknown' };
  return {
    sync: { ...revisions, status: 'Unknown', comparedTo: comparedTo(application) },
    health: before.health?.status ?? 'Unknown',
    ...(before.resources && { resources: before.resources.map((entry) => ({ ...entry, status: 'Unknown' })) }),
  };
}

function comparedTo(application: Application): NonNullable<NonNullable<ApplicationStatus['sync']>['comparedTo']> {
  const { destination, ignoreDifferences } = application.spec;
  const sources = sourcesOf(application);
  const [source] = sources;
  return {
    ...(hasMultipleSources(application) ? { sources: [...sources] } : source && { source }),
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
