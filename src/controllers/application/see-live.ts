import { ApiError } from '../../base/index.ts';
import type { Cluster, SchemaOf, TreeRow } from '../../clusters/index.ts';
import { compareApplication, createHealthOf, type ApplicationComparison, type CompareRules, type ResourceKey } from '../../engine/index.ts';
import { applicationInstanceName, permitsLiveResource, type Application, type AppProject } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
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
  const found = compareApplication({
    application: { namespace, name },
    instanceName,
    desired: [],
    live,
    tracking: trackingRulesOf(context.settings.current),
    rules,
    healthOf: createHealthOf(context.settings.current.resourceOverrides, () => context.clock.nowMs()),
    isPermitted: (key: ResourceKey) => permitsLiveResource(project, key, cluster, surroundings),
  });
  const resources = found.resources.map((resource) => ({ ...resource, status: 'Unknown' as const, requiresPruning: false }));
  const kinds = [...resources, ...(application.status?.resources ?? [])];
  return {
    cluster,
    project,
    rules,
    schemaOf: () => undefined,
    result: { ...found, resources },
    orphans: [],
    isComplete: findTroubles(cluster.cache, kinds).length === 0,
  };
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
