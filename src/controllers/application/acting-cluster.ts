import { ApiError, Code } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';
import { actAs, withQuietRefusals, type KubeApi, type ResourceType } from '../../kube/index.ts';
import { chooseActor, type Application, type AppProject } from '../../model/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { ControllerContext } from './controller-context.ts';

/**
 * The cluster of an application as the one who writes its objects sees it. What is read comes from the cache that all share. What it says of
 * a write is shown to many, so that it quotes no Secret.
 */
export type ActingCluster = Pick<Cluster, 'api' | 'cache' | 'server'>;

/** Throws ApiError where nobody may write: an installation that asks for service accounts must not get all our rights instead. */
export function openActingCluster(
  context: ControllerContext,
  application: Application,
  { project, cluster }: { readonly project: AppProject; readonly cluster: Cluster },
): ActingCluster {
  const { impersonationEnabled, impersonationEnforced } = context.settings.current.general;
  const actor = chooseActor({
    project,
    cluster,
    namespace: application.spec.destination.namespace ?? '',
    applicationNamespace: application.metadata.namespace ?? context.namespace,
    impersonationEnabled,
    impersonationEnforced,
  });
  if (actor.kind === 'none') throw new ApiError(Code.PermissionDenied, actor.message);
  const api = actor.kind === 'self' ? cluster.api : actAs(cluster.api, actor.username);
  return { server: cluster.server, cache: cluster.cache, api: meterRequests(context, application, cluster.server, withQuietRefusals(api)) };
}

const CREATED = 201;
const OK = 200;

/** Tells of every request that changes something. */
function meterRequests({ meter }: ControllerContext, application: Application, server: string, api: KubeApi): KubeApi {
  const counted = async <Result>(
    verb: string,
    { kind }: ResourceType,
    { namespace = '', dryRun = false }: { readonly namespace?: string | undefined; readonly dryRun?: boolean | undefined },
    send: () => Promise<Result>,
  ): Promise<Result> => {
    const tell = (code: number): void => meter.onRequest(application, { server, verb, kind, namespace, code, dryRun });
    try {
      const result = await send();
      tell(verb === 'Create' ? CREATED : OK);
      return result;
    } catch (error) {
      // What never reached the cluster has no code.
      tell(isStatusError(error) ? (error.status.code ?? 0) : 0);
      throw error;
    }
  };
  const placeOf = (namespace: string | undefined, dryRun: boolean | undefined) => ({ namespace, dryRun });
  return {
    ...api,
    create: (type, object, options) =>
      counted('Create', type, placeOf(object.metadata.namespace, options?.dryRun), () => api.create(type, object, options)),
    update: (type, object, options) =>
      counted('Update', type, placeOf(object.metadata.namespace, options?.dryRun), () => api.update(type, object, options)),
    patch: (type, ref, patch, options) =>
      counted('Patch', type, placeOf(ref.namespace, options?.dryRun), () => api.patch(type, ref, patch, options)),
    delete: (type, ref, options) => counted('Delete', type, placeOf(ref.namespace, options?.dryRun), () => api.delete(type, ref, options)),
  };
}
