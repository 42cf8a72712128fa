import type { Policy } from '../../../access/index.ts';
import type { Clock } from '../../../base/index.ts';
import type { KubeApi, ObjectStore } from '../../../kube/index.ts';
import type { ProjectSurroundings } from '../../../model/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Sources } from '../../../sources/index.ts';
import type { Asker } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';
import { withoutPassword } from './public-url.ts';

export interface RepositoryServiceOptions {
  readonly home: KubeApi;
  /** The namespace of the control plane: the Secrets live there. */
  readonly namespace: string;
  readonly settings: Settings;
  readonly policy: Policy;
  readonly sources: Pick<Sources, 'testRepository' | 'refs' | 'ociTags' | 'helmCharts' | 'apps' | 'details'>;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  /** What belongs to a project without its saying so. */
  readonly surroundingsOf: (project: string) => ProjectSurroundings;
  readonly clock: Clock;
}

type Action = 'get' | 'create' | 'update' | 'delete';

/** What policies call repositories that are read, and those that are written to. */
export type RepositoryResource = 'repositories' | 'write-repositories';

export interface Scoped {
  readonly url: string;
  readonly project: string;
  /** `repositories` unless given. */
  readonly resource?: RepositoryResource;
}

/** Policies name a repository of a project with the project before it. */
function deedOf({ url, project, resource = 'repositories' }: Scoped, action: Action) {
  const object = withoutPassword(url);
  return { resource, action, object: project === '' ? object : `${project}/${object}` };
}

export function mayTouch({ policy }: Pick<RepositoryServiceOptions, 'policy'>, call: Asker, repository: Scoped, action: Action): boolean {
  return mayDo(policy, call, deedOf(repository, action));
}

/** For what the caller has named, so that naming it tells nothing new. */
export function requireTouch({ policy }: Pick<RepositoryServiceOptions, 'policy'>, call: Asker, repository: Scoped, action: Action): void {
  requireAllowed(policy, call, deedOf(repository, action));
}

/** Who may not see a repository does not learn whether there is one. */
export function requireVisible(context: Pick<RepositoryServiceOptions, 'policy'>, call: Asker, repository: Scoped): void {
  if (!mayTouch(context, call, repository, 'get')) throw permissionDenied();
}
