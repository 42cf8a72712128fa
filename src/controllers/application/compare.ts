import { ApiError } from '../../base/index.ts';
import type { Cluster, SchemaOf } from '../../clusters/index.ts';
import {
  compareObject,
  createHealthOf,
  formatKey,
  keyOf,
  kindOf,
  needsManagedFields,
  normalizeTargets,
  usesServerSideApply,
  withTracking,
  type ApplicationComparison,
  type CompareRules,
  type ObjectToCompare,
  type ResourceKey,
  type ServerPrediction,
} from '../../engine/index.ts';
import {
  applicationInstanceName,
  findForbiddenSources,
  permitsLiveResource,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type AppProject,
} from '../../model/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { ApplicationMemory, RememberedComparison, RememberedTargets } from './application-memory.ts';
import { checkSpec, type Problem } from './check-spec.ts';
import { compareInTurns } from './compare-in-turns.ts';
import { compareRulesOf, trackingRulesOf } from './compare-rules.ts';
import type { ControllerContext } from './controller-context.ts';
import { describeOrphans, findOrphans } from './find-orphans.ts';
import { describeTakeovers } from './find-takeovers.ts';
import { describeKind, findTroubles } from './find-troubles.ts';
import { isPassing } from './live-trouble.ts';
import { loadTarget, type Target } from './load-target.ts';
import { readLocalTarget } from './local-target.ts';
import { predictOnServer, serverDiffOptionsOf } from './predict-on-server.ts';
import { seeLive, type SeenApplication, type SeenLive } from './see-live.ts';

export interface CompareRequest {
  /** The application's own unless given: an operation may bring others. */
  readonly sources?: readonly ApplicationSource[];
  /** One for each source; what is empty is resolved. */
  readonly revisions: readonly string[];
  readonly fresh: boolean;
  /** With `fresh`: an answer of the repository that was asked for after this will do; one from now on unless given. */
  readonly sinceMs?: number;
  /** Fetches charts anew, too. */
  readonly hard?: boolean;
  /** Instead of what the sources say, where there are any. */
  readonly manifests?: readonly string[];
  /** Whether the application is compared with it from now on: neither an operation nor somebody who wants to see something. */
  readonly isLook?: boolean;
  readonly memory: ApplicationMemory;
  readonly signal: AbortSignal;
}

/** An application as it was found. */
export type Comparison =
  /** It could not work: nothing else was looked at. */
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  /** What it wants or what there is could not be read. */
  | FailedComparison
  | ComparedApplication;

interface FailedComparison {
  readonly kind: 'failed';
  readonly problems: readonly Problem[];
  readonly cause: 'target' | 'live';
  readonly cluster: Cluster;
  /** Whether what lives could not be read for something that does not pass by itself. */
  readonly isLasting?: boolean;
  /** What lives, where only what it wants could not be read. To be shown; nothing is to be done on the strength of it. */
  readonly seen?: SeenLive | undefined;
}

export interface ComparedApplication extends SeenApplication {
  readonly kind: 'compared';
  readonly problems: readonly Problem[];
  readonly target: Target;
  /** What is wanted, placed and marked, with hooks. */
  readonly desired: readonly KubeObject[];
  /** By the text of its key. */
  readonly live: ReadonlyMap<string, KubeObject>;
  /** An object with the marks of the application. */
  readonly mark: (object: KubeObject) => KubeObject;
}

/** Looks at an application: what its sources say, what lives in its cluster, and what differs. */
export async function compare(context: ControllerContext, application: Application, request: CompareRequest): Promise<Comparison> {
  const checked = checkSpec(context, application);
  if (checked.kind === 'invalid') return checked;
  const { project, cluster } = checked;
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  // Whoever writes an operation to an application need not have asked the API, which refuses them too.
  const refused = findForbiddenSources(request.sources ?? [], project, surroundings);
  if (refused.length > 0) return { kind: 'invalid', problems: refused };
  const failed = (cause: 'target' | 'live', text: string): FailedComparison => ({
    kind: 'failed',
    cause,
    cluster,
    problems: [{ type: 'ComparisonError', message: text }],
  });
  try {
    await cluster.cache.whenSynced(request.signal);
  } catch (error) {
    return failed('live', `Failed to load live state: ${messageOf(error)}`);
  }
  const { sources = sourcesOf(application), manifests = [], memory, signal } = request;
  const isLocal = manifests.length > 0;
  let target: Target;
  try {
    target = isLocal
      ? readLocalTarget(context, application, { manifests, sources, revisions: request.revisions })
      : await loadTarget(context, application, { ...request, sources, cluster });
  } catch (error) {
    return {
      ...failed('target', `${isLocal ? '' : 'Failed to load target state: '}${messageOf(error)}`),
      seen: await seeLive(context, application, { project, cluster, memory, signal }),
    };
  }
  const placed = placeTargets(context, application, cluster, target, memory);
  try {
    const instance = applicationInstanceName(application, context.namespace);
    const rules = compareRulesOf(context.settings.current, application, memory);
    const options = serverDiffOptionsOf(context.settings.current, application);
    const targets = placed.objects.map((object) => ({
      ...targetOf(object),
      withOwners: options.isAsked || dependsOnOwners(object, rules),
    }));
    const [found, schemaOf] = await Promise.all([
      cluster.cache.liveObjects(instance, targets, signal),
      cluster.schemas.load(
        targets.filter((kind) => cluster.cache.typeOf(kind)?.version === kind.version),
        signal,
      ),
    ]);
    const live = withoutForbidden(found, (key) => permitsLiveResource(project, key, cluster, surroundings));
    const common = { cluster, desired: placed.objects, live, memory };
    const onServerOf = await predictTargets({ ...common, options, signal });
    const result = await compareAll(context, application, { ...common, project, rules, schemaOf, onServerOf, signal });
    const orphans = findOrphans(context, application, { project, cluster, known: new Set(result.resources.map(formatKey)) });
    const problems = [
      ...placed.conditions,
      ...describeTroubles(cluster, result),
      ...result.conditions,
      ...describeOrphans(project, orphans),
      ...describeTakeovers({ project, cluster, desired: placed.objects, namespace: context.namespace }),
    ];
    const mark = markFor(context, application);
    return { kind: 'compared', problems, cluster, project, target, desired: placed.objects, live, mark, rules, schemaOf, result, orphans };
  } catch (error) {
    if (error instanceof PredictionError) return { ...failed('live', error.message), isLasting: isLasting(error.cause) };
    return { ...failed('live', `Failed to load live state: ${messageOf(error)}`), isLasting: isLasting(error) };
  }
}

/** What has the name of something wanted may be another tenant's: what the project does not permit is not looked at. */
function withoutForbidden(
  found: ReadonlyMap<string, KubeObject>,
  isPermitted: (key: ResourceKey) => boolean,
): ReadonlyMap<string, KubeObject> {
  const permitted = [...found].filter(([, object]) => isPermitted(keyOf(object)));
  return permitted.length === found.size ? found : new Map(permitted);
}

function isLasting(error: unknown): boolean {
  return (error instanceof ApiError || isStatusError(error)) && !isPassing(error);
}

/** Only what an API or a source said is shown; anything else is a mistake of ours and goes on as such. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError || isStatusError(error)) return error.message;
  throw error;
}

/** Rendered objects, each in its namespace and marked as the application's. Made anew only where something of that changed. */
function placeTargets(
  context: ControllerContext,
  application: Application,
  cluster: Cluster,
  target: Target,
  memory: ApplicationMemory,
): RememberedTargets {
  const tracking = trackingRulesOf(context.settings.current);
  const destinationNamespace = application.spec.destination.namespace ?? '';
  const key = `${cluster.server}\n${destinationNamespace}\n${context.settings.current.version}`;
  const { resources } = cluster.cache;
  const known = memory.desired;
  if (
    known !== undefined &&
    known.key === key &&
    known.tracking === tracking &&
    known.resources === resources &&
    known.rendered.length === target.objects.length &&
    known.rendered.every((object, index) => object === target.objects[index])
  )
    return known;
  const isNamespaced = (group: string, kind: string): boolean | undefined => cluster.cache.typeOf({ group, kind })?.namespaced;
  const isExcluded = (group: string, kind: string): boolean => cluster.cache.isExcluded({ group, kind });
  const { objects, conditions } = normalizeTargets(target.objects, { destinationNamespace, isNamespaced, isExcluded });
  const marked = objects.map(markFor(context, application));
  memory.desired = { rendered: target.objects, tracking, key, resources, objects: marked, conditions };
  return memory.desired;
}

function markFor(context: ControllerContext, application: Application): (object: KubeObject) => KubeObject {
  const rules = trackingRulesOf(context.settings.current);
  const destinationNamespace = application.spec.destination.namespace ?? '';
  const instanceName = applicationInstanceName(application, context.namespace);
  return (object) => withTracking(object, { instanceName, destinationNamespace, rules });
}

/** Fields that nobody wants any more are known only by who applied them, and what some managers write may not count. */
function dependsOnOwners(object: KubeObject, rules: CompareRules): boolean {
  return usesServerSideApply(object, rules.syncOptions) || needsManagedFields(object, rules);
}

/** The cluster would not say what applying an object would change; in the words of a condition. */
class PredictionError extends Error {}

async function predictTargets(input: Parameters<typeof predictOnServer>[0]): ReturnType<typeof predictOnServer> {
  try {
    return await predictOnServer(input);
  } catch (error) {
    throw new PredictionError(`Failed to compare desired state to live state: ${messageOf(error)}`, { cause: error });
  }
}

interface ToCompare {
  readonly rules: CompareRules;
  readonly schemaOf: SchemaOf;
  readonly onServerOf: (desired: KubeObject) => ServerPrediction | undefined;
  readonly project: AppProject;
  readonly cluster: Cluster;
  readonly desired: readonly KubeObject[];
  readonly live: ReadonlyMap<string, KubeObject>;
  readonly memory: ApplicationMemory;
  readonly signal: AbortSignal;
}

async function compareAll(context: ControllerContext, application: Application, input: ToCompare): Promise<ApplicationComparison> {
  const { project, cluster, desired, live, memory, rules, schemaOf, onServerOf, signal } = input;
  const { namespace = context.namespace, name = '' } = application.metadata;
  const before = memory.comparisons;
  const now = new Map<string, RememberedComparison>();
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  const toCompare: Parameters<typeof compareInTurns>[0] = {
    application: { namespace, name },
    instanceName: applicationInstanceName(application, context.namespace),
    desired,
    live,
    tracking: trackingRulesOf(context.settings.current),
    rules,
    schemaOf,
    onServerOf,
    healthOf: createHealthOf(context.settings.current.resourceOverrides, () => context.clock.nowMs()),
    isPermitted: (key: ResourceKey) => permitsLiveResource(project, key, cluster, surroundings),
    compare(pair: ObjectToCompare) {
      const object = pair.desired ?? pair.live;
      const key = object === undefined ? '' : formatKey(keyOf(object));
      const known = before.get(key);
      const { desired: wanted, live: own, schema, onServer } = pair;
      const isSame =
        known?.desired === wanted &&
        known?.live === own &&
        known?.rules === pair.rules &&
        known?.schema === schema &&
        known?.onServer === onServer;
      const compared = known !== undefined && isSame ? known.result : compareObject(pair);
      now.set(key, { desired: wanted, live: own, rules: pair.rules, schema, onServer, result: compared });
      return compared;
    },
  };
  const result = await compareInTurns(toCompare, { timers: context.timers, signal });
  memory.comparisons = now;
  return result;
}

function targetOf(object: KubeObject): ResourceKey & { readonly version: string } {
  return { ...keyOf(object), version: kindOf(object).version };
}

/** A kind that cannot be read right now concerns only the applications that have something of it. */
function describeTroubles({ cache }: Cluster, { resources }: ApplicationComparison): readonly Problem[] {
  return findTroubles(cache, resources).map((trouble) => ({
    type: 'ComparisonError',
    message: `Failed to load live state: ${describeKind(trouble)}: ${trouble.trouble.message}`,
  }));
}
