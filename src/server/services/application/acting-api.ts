import { ApiError, Code } from '../../../base/index.ts';
import type { Cluster } from '../../../clusters/index.ts';
import { actAs, withQuietRefusals, type KubeApi } from '../../../kube/index.ts';
import { chooseActor, type Application } from '../../../model/index.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { requireProject } from './find-application.ts';

/** The API of an application's cluster for what a user does through it: in the name of the service account where the project names one. */
export function actingApi(context: ApplicationServiceOptions, application: Application, cluster: Cluster): KubeApi {
  const { impersonationEnabled, impersonationEnforced } = context.settings.current.general;
  const actor = chooseActor({
    project: requireProject(context, application),
    cluster,
    namespace: application.spec.destination.namespace ?? '',
    applicationNamespace: application.metadata.namespace ?? context.namespace,
    impersonationEnabled,
    impersonationEnforced,
  });
  if (actor.kind === 'none') throw new ApiError(Code.Unknown, actor.message);
  return withQuietRefusals(actor.kind === 'self' ? cluster.api : actAs(cluster.api, actor.username));
}
