import type { ApplicationSet } from '../../../../contract/gen/types.ts';

const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

export interface WhatGoes {
  /** Whether the applications themselves go. */
  readonly applications: boolean;
  /** Whether what they deployed goes. */
  readonly resources: boolean;
}

/** What a deletion of the set takes with it. */
export function whatGoes({ metadata, spec }: ApplicationSet): WhatGoes {
  const policy = spec.syncPolicy?.applicationsSync ?? 'sync';
  const mayDelete = policy === 'sync' || policy === 'create-delete';
  // Only with the finalizer does the controller get to let the applications go before the cluster collects them.
  if (!mayDelete && (metadata.finalizers ?? []).includes(RESOURCES_FINALIZER)) return { applications: false, resources: false };
  const finalizers = spec.template.metadata.finalizers ?? [];
  const cascades =
    finalizers.length > 0
      ? finalizers.some((finalizer) => finalizer.startsWith(RESOURCES_FINALIZER))
      : spec.syncPolicy?.preserveResourcesOnDeletion !== true;
  return { applications: true, resources: cascades };
}
