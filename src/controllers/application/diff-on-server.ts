import { ApiError, Code } from '../../base/index.ts';
import type { ResourceDiff } from '../../contract/index.ts';
import { compareObject, formatKey, isSecret, keyOf, kindOf, maskSecret, toResourceDiff, type ManagedResource } from '../../engine/index.ts';
import type { Application } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { dryRun } from './predict-on-server.ts';
import type { SeenApplication } from './see-live.ts';

/** What somebody asks about one resource: what they would apply, and whether it is there already. */
export interface DiffQuestion {
  /** The text of the key of a live resource; undefined where there is none. */
  readonly live: string | undefined;
  readonly target: KubeObject | undefined;
}

/**
 * What applying objects that somebody brings would change, as the cluster says. What is live is read from the cluster, whatever the asker
 * believes. Only what the application manages can be asked about: anything else would be a way to see other people's objects.
 */
export async function diffOnServer(
  compared: SeenApplication,
  application: Application,
  questions: readonly DiffQuestion[],
  { includesMutations, signal }: { readonly includesMutations: boolean; readonly signal: AbortSignal },
): Promise<ResourceDiff[]> {
  const { cluster, result, rules } = compared;
  const managed = new Map(result.resources.map((resource) => [formatKey(resource), resource]));
  const asked = questions.map(({ live, target }) => {
    const resource = live === undefined ? undefined : managed.get(live);
    if (live !== undefined && resource?.live === undefined) throw notPart(live, application);
    return { resource, target };
  });
  const targets = asked.flatMap(({ resource }) =>
    resource === undefined
      ? []
      : [
          {
            group: resource.group,
            version: resource.version,
            kind: resource.kind,
            namespace: resource.namespace,
            name: resource.name,
            withOwners: true,
          },
        ],
  );
  const owned = await cluster.cache.liveObjects('', targets, signal);
  const found: ResourceDiff[] = [];
  for (const { resource, target } of asked) {
    const live = resource && (owned.get(formatKey(resource)) ?? resource.live);
    const predicted = target && live && (await dryRun(cluster, target, signal));
    const onServer = predicted && { object: predicted, includesMutations };
    const comparison = compareObject({ desired: target, live, rules, onServer });
    const diff = toResourceDiff(describe(target, live, { comparison, onServer }), rules);
    found.push(withStates(diff, target, rules.sensitiveAnnotations));
  }
  return found;
}

/** The answer has the states after and before in other places than the resources of an application have them. */
function withStates(diff: ResourceDiff, target: KubeObject | undefined, sensitive: readonly string[]): ResourceDiff {
  const { normalizedLiveState = '', predictedLiveState = '', ...rest } = diff;
  const isOnlyWanted = normalizedLiveState === 'null' && target !== undefined;
  return {
    ...rest,
    targetState: isOnlyWanted && isSecret(target) ? JSON.stringify(maskSecret(target, sensitive)) : predictedLiveState,
    liveState: normalizedLiveState,
  };
}

function describe(
  desired: KubeObject | undefined,
  live: KubeObject | undefined,
  compared: Pick<ManagedResource, 'comparison' | 'onServer'>,
): ManagedResource {
  const object = (desired ?? live) as KubeObject;
  return {
    ...keyOf(object),
    version: kindOf(object).version,
    desired,
    live,
    ...compared,
    status: '',
    health: undefined,
    isHook: false,
    requiresPruning: false,
    isSelfReferenced: true,
  };
}

function notPart(key: string, { metadata }: Application): ApiError {
  const [group = '', kind = '', , name = ''] = key.split('/');
  return new ApiError(Code.PermissionDenied, `${kind} ${group} ${name} not found as part of application ${metadata.name ?? ''}`);
}
