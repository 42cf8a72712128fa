import type { IsProjectTokenIssued } from '../access/index.ts';
import { ApiError, Code } from '../base/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import { projectTokensOf, readProject } from '../model/index.ts';
import type { KubeObject } from '../objects/index.ts';

/**
 * Whether the projects of a home know of a token: one that was deleted, or whose role or project is gone, is not known any more. Throws
 * Unavailable while projects have not been read: whoever is told that a token is not there makes another, or gives up.
 */
export function createProjectTokenCheck(projects: Pick<ObjectStore, 'get' | 'synced'>, namespace: string): IsProjectTokenIssued {
  // Asked with every call, and a project stays the same object until it changes.
  const known = new WeakMap<KubeObject, Map<string, ReadonlySet<string>>>();

  function tokensOf(project: KubeObject, role: string): ReadonlySet<string> {
    let byRole = known.get(project);
    if (byRole === undefined) known.set(project, (byRole = new Map<string, ReadonlySet<string>>()));
    let tokens = byRole.get(role);
    if (tokens === undefined) {
      tokens = new Set(projectTokensOf(readProject(project), role).map(({ iat, id }) => nameOf(iat, id)));
      // Roles that are not there are not remembered: their names come from outside.
      if (tokens.size > 0) byRole.set(role, tokens);
    }
    return tokens;
  }

  return ({ project, role, id, issuedAt }) => {
    const object = projects.get({ namespace, name: project });
    if (object === undefined && !projects.synced)
      throw new ApiError(Code.Unavailable, 'the projects have not been read yet, please try again');
    return object !== undefined && tokensOf(object, role).has(nameOf(issuedAt, id));
  };
}

/** Both: somebody may give the id of a token that was deleted to a new one. */
function nameOf(issuedAt: number, id: string): string {
  return `${issuedAt} ${id}`;
}
