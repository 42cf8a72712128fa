import { createPolicy, type ExplainedPolicy, type PolicySettings } from '../access/index.ts';
import type { Logger } from '../base/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import type { Settings, Snapshot } from '../settings/index.ts';

export interface HomePolicyOptions {
  readonly settings: Settings;
  readonly projects: ObjectStore;
  readonly namespace: string;
  readonly log: Logger;
}

/** The policy of argocd-rbac-cm and of the roles of projects, as both are at each moment. */
export function createHomePolicy({ settings, projects, namespace, log }: HomePolicyOptions): ExplainedPolicy {
  let snapshot: Snapshot | undefined;
  let configured: PolicySettings;
  return createPolicy({
    settings: () => {
      // Asked on every decision; most of the time it is what it was.
      if (snapshot !== settings.current) configured = readPolicy((snapshot = settings.current));
      return configured;
    },
    findProject: (name) => projects.get({ namespace, name }),
    listProjects: () => [...projects.values()].filter(({ metadata }) => metadata.namespace === namespace),
    report: (problem) => log.warn('a policy line is not used', { problem }),
  });
}

function readPolicy({ policy, policyIncomplete, rbac }: Snapshot): PolicySettings {
  return { policy, policyIncomplete, defaultRole: rbac.defaultRole, matchMode: rbac.matchMode };
}
