import type { AppProject } from '../../contract/index.ts';
import type { ClusterIdentity } from '../destination.ts';
import { findServiceAccount } from './find-service-account.ts';

export interface ActorInput {
  readonly project: AppProject;
  readonly cluster: ClusterIdentity;
  /** Of the application's destination. */
  readonly namespace: string;
  /** Of the application itself: accounts are there where the destination names no namespace. */
  readonly applicationNamespace: string;
  /** Whether applications are synced as service accounts at all, and whether one that has none is refused. */
  readonly impersonationEnabled: boolean;
  readonly impersonationEnforced: boolean;
}

/** In whose name objects of an application are written. */
export type Actor =
  /** Our own. */
  | { readonly kind: 'self' }
  | { readonly kind: 'user'; readonly username: string }
  /** Nobody's: an installation that asks for service accounts must not get all our rights instead. */
  | { readonly kind: 'none'; readonly message: string };

export function chooseActor(input: ActorInput): Actor {
  const { project, cluster, namespace, applicationNamespace, impersonationEnabled, impersonationEnforced } = input;
  if (!impersonationEnabled) return { kind: 'self' };
  const account = findServiceAccount(project, cluster, namespace);
  if (!account) {
    if (!impersonationEnforced) return { kind: 'self' };
    const message = `no matching service account found for destination server ${cluster.server} and namespace ${namespace}`;
    return { kind: 'none', message };
  }
  const [place, name = ''] = account.includes(':') ? account.split(':', 2) : [namespace || applicationNamespace, account];
  return { kind: 'user', username: `system:serviceaccount:${place ?? ''}:${name}` };
}
