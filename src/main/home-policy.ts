import { createPolicy, type ExplainedPolicy } from '../access/index.ts';
import type { Logger } from '../base/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import type { Settings } from '../settings/index.ts';

export interface HomePolicyOptions {
  readonly settings: Settings;
  readonly projects: ObjectStore;
  readonly namespace: string;
  readonly log: Logger;
}

/** The policy of argocd-rbac-cm and of the roles of projects, as both are at each moment. */
export function createHomePolicy({ settings, projects, namespace, log }: HomePolicyOptions): ExplainedPolicy {
  return createPolicy({
    settings: () => {
      const { policy, policyIncomplete, rbac } = settings.current;
      return { policy, policyIncomplete, defaultRole: rbac.defaultRole, matchMode: rbac.matchMode };
    },
    findProject: (name) => projects.get({ namespace, name }),
    report: (problem) => log.warn('a policy line is not used', { problem }),
  });
}
