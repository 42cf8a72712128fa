import type { ApplicationList, ApplicationQuery } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { createSelection, requireSynced, selectApplications } from './select-applications.ts';

/** The applications that the query means and the caller may see, by name. What they may not see is left out without a word. */
export async function listApplications(context: ApplicationServiceOptions, query: ApplicationQuery, call: Call): Promise<ApplicationList> {
  const matches = createSelection(context, call, query);
  await requireSynced(context, call.signal);
  const items = [...selectApplications(context.applications.values(), matches)];
  items.sort((one, other) => compareText(one.metadata.name ?? '', other.metadata.name ?? ''));
  return { metadata: { resourceVersion: context.applications.resourceVersion }, items };
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
