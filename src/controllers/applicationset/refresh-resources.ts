import type { WorkResult } from '../../kube/index.ts';
import { readApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { ownedApplications } from './owned-applications.ts';
import { writeStatus } from './write-status.ts';

/** Writes down how the applications of a set are, where that is not known yet. Nothing is generated. */
export async function refreshResources(
  context: ApplicationSetContext,
  ref: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<WorkResult> {
  const object = context.applicationSets.get(ref);
  // A set that has no list yet gets one when it is first looked at.
  if (object === undefined || !context.applications.synced || !context.isNamespaceEnabled(ref.namespace)) return 'done';
  const set = readApplicationSet(object);
  if (set.metadata.deletionTimestamp || set.status?.resources === undefined) return 'done';
  await writeStatus(context, set, { rollout: 'same', applications: ownedApplications(context, set).values() }, signal);
  return 'done';
}
