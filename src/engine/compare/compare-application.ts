import type { ApplicationCondition, ResourceStatus } from '../../model/index.ts';
import type { GroupVersionKind, KubeObject, Schema } from '../../objects/index.ts';
import { annotationList, annotationOf, annotations } from '../annotations.ts';
import { aggregateHealth, isLasting } from '../health/aggregate-health.ts';
import { assessHealth } from '../health/assess-health.ts';
import type { Health, HealthStatusCode } from '../health/health-status.ts';
import { compareTexts, formatKey, keyOf, kindOf } from '../resource-key.ts';
import type { ResourceKey } from '../resource-key.ts';
import { isDeleteHook, isHook, isIgnoredHook, isSkipped, syncWaveOf } from '../sync/hooks.ts';
import { hasOption, objectHasOption } from '../sync/sync-options.ts';
import { isSelfReferenced, trackingOf, withMigratedTracking } from '../tracking/tracking.ts';
import type { TrackingRules } from '../tracking/tracking.ts';
import { compareObject } from './compare-object.ts';
import type { ObjectComparison, ObjectToCompare } from './compare-object.ts';
import type { ServerPrediction } from './compare-predicted.ts';
import type { CompareRules } from './compare-rules.ts';
import { ignoreRulesFor } from './ignore-differences.ts';
import { findJqProblem } from './remove-jq-paths.ts';

export type SyncStatusCode = 'Synced' | 'OutOfSync' | 'Unknown';

/** An object that an application wants, has, or both. */
export interface ManagedResource extends ResourceKey {
  readonly version: string;
  readonly desired: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly comparison: ObjectComparison;
  /** What it was compared with, where the cluster was asked. */
  readonly onServer: ServerPrediction | undefined;
  /** Empty for hooks and for what is not the application's own. */
  readonly status: SyncStatusCode | '';
  readonly health: Health | undefined;
  readonly isHook: boolean;
  readonly requiresPruning: boolean;
  /** False where a live object's mark was made for another object. */
  readonly isSelfReferenced: boolean;
}

export interface ApplicationToCompare {
  readonly application: { readonly namespace: string; readonly name: string };
  readonly instanceName: string;
  /** What `normalizeTargets` gave, with tracking. */
  readonly desired: readonly KubeObject[];
  /** What belongs to the application, and what has the key of something that it wants; by the text of its key. */
  readonly live: ReadonlyMap<string, KubeObject>;
  readonly tracking: TrackingRules;
  readonly rules: CompareRules;
  readonly schemaOf?: (kind: GroupVersionKind) => Schema | undefined;
  readonly healthOf?: (object: KubeObject) => Health | undefined;
  /** What the cluster says that applying an object would make of it, where it was asked. */
  readonly onServerOf?: (desired: KubeObject) => ServerPrediction | undefined;
  /** Whether the project lets the application have a resource. */
  readonly isPermitted?: (key: ResourceKey) => boolean;
  /** Instead of compareObject, for a caller that remembers results. */
  readonly compare?: (input: ObjectToCompare) => ObjectComparison;
}

export interface ApplicationComparison {
  readonly status: 'Synced' | 'OutOfSync';
  readonly health: HealthStatusCode;
  /** Sorted by group, kind, namespace and name. */
  readonly resources: readonly ManagedResource[];
  /** What is wanted and runs as a hook of a sync; no part of the comparison. */
  readonly hooks: readonly KubeObject[];
  readonly conditions: readonly ApplicationCondition[];
}

/** Compares all that an application wants with all that it has. */
export function compareApplication(input: ApplicationToCompare): ApplicationComparison {
  const parts = compareInParts(input);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** The same, one object after the other, for a caller that lets others have their turn between them. */
export function* compareInParts(input: ApplicationToCompare): Generator<undefined, ApplicationComparison, undefined> {
  const { desired, live, isPermitted = () => true } = input;
  const hooks = desired.filter((object) => isHook(object) && !isDeleteHook(object));
  const wanted = desired.filter((object) => !isHook(object) && !isIgnoredHook(object));
  const named = new Set(desired.filter((object) => isHook(object) || isIgnoredHook(object)).map((object) => formatKey(keyOf(object))));
  const targets = new Map(wanted.map((object) => [formatKey(keyOf(object)), object]));
  // What only has the name of a hook was found by that name; unless it says that it is ours, it is somebody else's, and not to be pruned.
  const isOurs = (object: KubeObject): boolean =>
    !named.has(formatKey(keyOf(object))) || isHook(object) || trackingOf(object, input.tracking)?.instanceName === input.instanceName;
  const unwanted = [...live].filter(([key]) => !targets.has(key)).map(([, object]) => object);
  const extra = unwanted.filter((object) => isOurs(object) && isPermitted(keyOf(object)));
  const others = unwanted.filter((object) => !isOurs(object) && isPermitted(keyOf(object)));
  const resources: ManagedResource[] = [];
  for (const [key, object] of targets) {
    resources.push(examine(object, live.get(key), input));
    yield;
  }
  for (const object of extra) {
    resources.push(examine(undefined, object, input));
    yield;
  }
  resources.sort((left, right) => compareTexts(formatKey(left), formatKey(right)));
  return {
    status: resources.some((resource) => makesOutOfSync(resource)) ? 'OutOfSync' : 'Synced',
    health: aggregateHealth(resources, { application: input.application }),
    resources,
    hooks,
    conditions: [
      ...findUnreadableRules(wanted, input.rules),
      ...resources.flatMap((resource) => findShared(resource, input)),
      ...others.flatMap((object) => findShared({ ...keyOf(object), live: object }, input)),
    ],
  };
}

function examine(desired: KubeObject | undefined, live: KubeObject | undefined, input: ApplicationToCompare): ManagedResource {
  const { tracking, rules, schemaOf, onServerOf, healthOf = assessHealth, isPermitted = () => true, compare = compareObject } = input;
  const object = (desired ?? live) as KubeObject;
  const kind = kindOf(object);
  const key = keyOf(object);
  const known = live && desired ? withMigratedTracking(live, desired, tracking) : live;
  const onServer = desired && live && onServerOf?.(desired);
  const comparison = compare({ desired, live: known, schema: schemaOf?.(kind), rules, onServer });
  const isOwn = live === undefined || isSelfReferenced(live, desired, tracking);
  const isLiveHook = live !== undefined && isHook(live);
  const resource = {
    ...key,
    version: kind.version,
    desired,
    live,
    comparison,
    onServer,
    health: live && healthOf(live),
    isHook: isLiveHook,
    requiresPruning: desired === undefined && live !== undefined && isOwn,
    isSelfReferenced: isOwn,
  };
  return { ...resource, status: statusOf(resource, isPermitted(key)) };
}

function statusOf(resource: Omit<ManagedResource, 'status'>, isPermitted: boolean): ManagedResource['status'] {
  const { desired, live, comparison, isHook: isHooked, isSelfReferenced: isOwn } = resource;
  const isOutside = [desired, live].some((object) => object !== undefined && (isSkipped(object) || isIgnoredHook(object)));
  if (isHooked || isOutside || !isOwn) return '';
  if (!isPermitted) return 'Unknown';
  return desired === undefined || live === undefined || comparison.modified ? 'OutOfSync' : 'Synced';
}

/** An extra object may ask not to be counted. */
function makesOutOfSync({ status, desired, live }: ManagedResource): boolean {
  if (status === 'Unknown') return desired === undefined || live === undefined;
  if (status !== 'OutOfSync') return false;
  return !(desired === undefined && annotationList(live, annotations.compareOptions).includes('IgnoreExtraneous'));
}

/** A rule that cannot be followed must not pass in silence: what it ignores would be called a difference, and undone. */
function findUnreadableRules(wanted: readonly KubeObject[], rules: CompareRules): ApplicationCondition[] {
  const expressions = wanted.flatMap((object) => ignoreRulesFor(object, rules).flatMap(({ jqPathExpressions = [] }) => jqPathExpressions));
  return [...new Set(expressions)].flatMap((text) => {
    const problem = findJqProblem(text);
    if (problem === undefined) return [];
    const message = `Failed to compare desired state to live state: jqPathExpressions in ignoreDifferences: ${text}: ${problem}`;
    return [{ type: 'ComparisonError', message }];
  });
}

/** A live object that another application claims too. */
function findShared(
  { live, kind, name }: Pick<ManagedResource, 'live' | 'kind' | 'name'>,
  { application, instanceName, tracking }: ApplicationToCompare,
): ApplicationCondition[] {
  const owner = live && trackingOf(live, tracking)?.instanceName;
  if (owner === undefined || owner === instanceName) return [];
  const claims = `${application.namespace}/${application.name} and ${owner.replace('_', '/')}`;
  return [{ type: 'SharedResourceWarning', message: `${kind}/${name} is part of applications ${claims}` }];
}

/** The entry of a resource in the status of its application. */
export function toResourceStatus(resource: ManagedResource, syncOptions: readonly string[] = []): ResourceStatus {
  const { group, version, kind, namespace, name, status, desired, live } = resource;
  const wave = syncWaveOf(desired ?? live);
  const needsConfirmation = (['Delete=confirm', 'Prune=confirm'] as const).some(
    (option) => objectHasOption(desired, option) || objectHasOption(live, option) || hasOption(syncOptions, option),
  );
  return {
    ...(group !== '' && { group }),
    ...(version !== '' && { version }),
    kind,
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(status !== '' && { status }),
    ...healthEntry(resource),
    ...(resource.isHook && { hook: true }),
    ...(resource.requiresPruning && { requiresPruning: true }),
    ...(wave !== 0 && { syncWave: wave }),
    ...(needsConfirmation && { requiresDeletionConfirmation: true }),
  };
}

/** Of what does not count for the application's health none is told. */
function healthEntry(resource: ManagedResource): Pick<ResourceStatus, 'health'> {
  const { live, health } = resource;
  if (!isLasting(resource)) return {};
  if (live === undefined) return { health: { status: 'Missing' } };
  return health && annotationOf(live, annotations.ignoreHealthCheck) !== 'true' ? { health } : {};
}
