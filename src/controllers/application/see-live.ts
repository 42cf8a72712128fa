import { ApiError } from '../../base/index.ts';
import type { Cluster, LiveCache, LiveRow, SchemaOf, TreeRow } from '../../clusters/index.ts';
import {
  aggregateHealth,
  createHealthOf,
  formatKey,
  type ApplicationComparison,
  type CompareRules,
  type Health,
  type HealthItem,
  type ResourceKey,
} from '../../engine/index.ts';
import { applicationInstanceName, permitsLiveResource, type Application, type AppProject, type ResourceStatus } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { compareInTurns } from './compare-in-turns.ts';
import { compareRulesOf, trackingRulesOf } from './compare-rules.ts';
import type { ControllerContext } from './controller-context.ts';
import { findTroubles } from './find-troubles.ts';

/** What is known of an application for those who look at it. */
export interface SeenApplication {
  readonly cluster: Cluster;
  readonly project: AppProject;
  readonly rules: CompareRules;
  readonly schemaOf: SchemaOf;
  readonly result: ApplicationComparison;
  /** What belongs to no application, where the project asks for it. */
  readonly orphans: readonly TreeRow[];
}

/** What lives of an application of which nobody knows what it wants. */
export interface SeenLive extends SeenApplication {
  /** False where something of it may not be known. */
  readonly isComplete: boolean;
  /**
   * What is listed in the status and does not say that it belongs to the application: definitions and what has an owner never do. How it is,
   * or that it is gone; by the text of its key. What is not among it cannot be told.
   */
  readonly unmarked: ReadonlyMap<string, LiveRow | 'gone'>;
}

interface SeeOptions {
  readonly project: AppProject;
  readonly cluster: Cluster;
  readonly memory: ApplicationMemory;
  readonly signal: AbortSignal;
}

/**
 * Looks at what says that it belongs to an application, where its sources cannot be rendered. As nothing is known of what is wanted, nothing
 * is too much, nothing differs, and nothing is an orphan. Undefined where that cannot be read either.
 */
export async function seeLive(
  context: ControllerContext,
  application: Application,
  { project, cluster, memory, signal }: SeeOptions,
): Promise<SeenLive | undefined> {
  const { namespace = context.namespace, name = '' } = application.metadata;
  const instanceName = applicationInstanceName(application, context.namespace);
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  const rules = compareRulesOf(context.settings.current, application, memory);
  const live = await readLive(cluster, instanceName, signal);
  if (live === undefined) return undefined;
  const isPermitted = (key: ResourceKey): boolean => permitsLiveResource(project, key, cluster, surroundings);
  const toCompare = {
    application: { namespace, name },
    instanceName,
    desired: [],
    live,
    tracking: trackingRulesOf(context.settings.current),
    rules,
    healthOf: createHealthOf(context.settings.current.resourceOverrides, () => context.clock.nowMs()),
    isPermitted,
  };
  const found = await compareInTurns(toCompare, { timers: context.timers, signal });
  const resources = found.resources.map((resource) => ({ ...resource, status: 'Unknown' as const, requiresPruning: false }));
  const listed = (application.status?.resources ?? []).map(listedKey);
  const marked = new Set(resources.map(formatKey));
  const unmarked = findUnmarked(
    cluster.cache,
    listed.filter((key) => !marked.has(formatKey(key))),
    isPermitted,
  );
  const others = [...unmarked.values()].filter((one) => one !== 'gone').map(toHealthItem);
  return {
    cluster,
    project,
    rules,
    schemaOf: () => undefined,
    result: { ...found, resources, health: aggregateHealth([...resources, ...others], { application: { namespace, name } }) },
    orphans: [],
    isComplete: findTroubles(cluster.cache, [...resources, ...listed]).length === 0 && !listed.some((key) => cluster.cache.isHidden(key)),
    unmarked,
  };
}

/** The key of an entry in the status of an application. */
export function listedKey({ group = '', kind = '', namespace = '', name = '' }: ResourceStatus): ResourceKey {
  return { group, kind, namespace, name };
}

/**
 * What is there under the name of another tenant's is not looked at. Of a kind that is served and not known it cannot be told what is gone; of
 * one that went with its definition everything is.
 */
function findUnmarked(
  cache: LiveCache,
  keys: readonly ResourceKey[],
  isPermitted: (key: ResourceKey) => boolean,
): ReadonlyMap<string, LiveRow | 'gone'> {
  const found = new Map<string, LiveRow | 'gone'>();
  for (const key of keys) {
    const row = cache.find(key);
    const isTold = row === undefined ? cache.isKnown(key) || cache.typeOf(key) === undefined : isPermitted(key);
    if (isTold) found.set(formatKey(key), row ?? 'gone');
  }
  return found;
}

/** What is not marked is not kept whole: its health was found when it was seen. */
function toHealthItem({ type, namespace, name, body, health }: LiveRow): HealthItem {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return { live: body ?? { apiVersion, kind: type.kind, metadata: { namespace, name } }, health: health as Health | undefined };
}

async function readLive(
  { cache }: Cluster,
  instanceName: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  try {
    return await cache.liveObjects(instanceName, [], signal);
  } catch (error) {
    // The cluster went away at this moment: then it is as if nothing had been looked at.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
