import type { ApplicationSet, Operation } from '../../model/index.ts';
import type { OwnerReference } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import type { DesiredApplication } from './desired-application.ts';
import { createIgnore } from './ignore-differences.ts';
import { planApplication } from './plan-application.ts';
import type { PlannedWrite } from './write-applications.ts';

const alwaysPreserved = ['notified.notifications.argoproj.io', 'argocd.argoproj.io/refresh', 'argocd.argoproj.io/hydrate'];

interface Writing {
  readonly desired: readonly DesiredApplication[];
  /** Syncs to begin, by the names of applications. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/** How each application that is wanted becomes as it should be, from how it is when it is its turn. */
export function planWrites(
  context: Pick<ApplicationSetContext, 'settings'>,
  set: ApplicationSet,
  { desired, operations }: Writing,
): readonly PlannedWrite[] {
  const { preservedFields } = set.spec;
  const { appsetPreservedAnnotations, appsetPreservedLabels } = context.settings.current.parameters;
  const ignoreFor = createIgnore(set);
  const rules = {
    namespace: set.metadata.namespace ?? '',
    owner: ownerReference(set),
    preservedAnnotations: new Set([...alwaysPreserved, ...(preservedFields?.annotations ?? []), ...appsetPreservedAnnotations]),
    preservedLabels: new Set([...(preservedFields?.labels ?? []), ...appsetPreservedLabels]),
  };
  return desired.map((application) => ({
    name: application.name,
    plan: (live) =>
      planApplication(application, live, { ...rules, ignore: ignoreFor(application.name), operation: operations.get(application.name) }),
  }));
}

function ownerReference({ metadata }: ApplicationSet): OwnerReference {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
