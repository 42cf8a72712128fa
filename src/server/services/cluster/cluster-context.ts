import type { Policy } from '../../../access/index.ts';
import type { Clock, Timers } from '../../../base/index.ts';
import type { Clusters, Registration, Registry } from '../../../clusters/index.ts';
import type { ObjectStore } from '../../../kube/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';

export interface ClusterServiceOptions {
  readonly clusters: Clusters;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly policy: Policy;
  /** For counting those of each cluster. */
  readonly applications: ObjectStore;
  readonly clock: Clock;
  readonly timers: Timers;
}

type Action = 'get' | 'create' | 'update' | 'delete';
type Scoped = Pick<Registration, 'server' | 'project'>;

/** Policies name a cluster of a project with the project before it. */
function deedOf({ server, project }: Scoped, action: Action) {
  return { resource: 'clusters', action, object: project === '' ? server : `${project}/${server}` };
}

export function mayTouch({ policy }: ClusterServiceOptions, call: Call, cluster: Scoped, action: Action): boolean {
  return mayDo(policy, call, deedOf(cluster, action));
}

/** For a cluster that the caller has described, so that naming it tells nothing new. */
export function requireCreate({ policy }: ClusterServiceOptions, call: Call, cluster: Scoped): void {
  requireAllowed(policy, call, deedOf(cluster, 'create'));
}

/** Who may not touch a cluster does not learn whether there is one. */
export function requireTouch(context: ClusterServiceOptions, call: Call, cluster: Scoped, action: Action): void {
  if (!mayTouch(context, call, cluster, action)) throw permissionDenied();
}
