import { findServiceAccount, type Application } from '../../model/index.ts';
import type { ComparedApplication } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';

/**
 * Why an application must not be synced as ourselves; undefined where it may be. An installation that asks for service accounts must not
 * get a sync with all our rights instead.
 */
export function describeImpersonation(
  { settings }: ControllerContext,
  { spec }: Application,
  { project, cluster }: ComparedApplication,
): string | undefined {
  const { impersonationEnabled, impersonationEnforced } = settings.current.general;
  if (!impersonationEnabled) return undefined;
  const namespace = spec.destination.namespace ?? '';
  const account = findServiceAccount(project, cluster, namespace);
  if (account !== undefined) return `syncing as the service account ${account} is not implemented yet`;
  if (!impersonationEnforced) return undefined;
  return `no matching service account found for destination server ${cluster.server} and namespace ${namespace}`;
}
