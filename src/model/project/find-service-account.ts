import type { AppProject } from '../../contract/index.ts';
import type { ClusterIdentity } from '../destination.ts';
import { matchesGlob } from '../glob.ts';

/** The service account that a project names for a namespace of a cluster, as `name` or `namespace:name`; the first that fits. */
export function findServiceAccount({ spec }: AppProject, { server }: ClusterIdentity, namespace: string): string | undefined {
  const fits = (pattern: string, text: string): boolean => pattern === text || matchesGlob(pattern, text);
  return spec.destinationServiceAccounts?.find((item) => fits(item.server, server) && fits(item.namespace ?? '', namespace))
    ?.defaultServiceAccount;
}
