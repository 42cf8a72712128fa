import type { IsProjectTokenIssued } from '../access/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import { projectTokensOf, readProject } from '../model/index.ts';

/** Whether the projects of a home know of a token: one that was deleted, or whose role or project is gone, is not known any more. */
export function createProjectTokenCheck(projects: ObjectStore, namespace: string): IsProjectTokenIssued {
  return ({ project: name, role, id, issuedAt }) => {
    const object = projects.get({ namespace, name });
    if (object === undefined) return false;
    // Both: somebody may give the id of a token that was deleted to a new one.
    return projectTokensOf(readProject(object), role).some((token) => token.id === id && token.iat === issuedAt);
  };
}
