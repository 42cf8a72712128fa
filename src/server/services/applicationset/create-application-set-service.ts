import type { ApplicationSetService, ApplicationSetTree } from '../../../contract/index.ts';
import { applicationSetType, type ApplicationSet } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { listEvents } from '../application/events.ts';
import { rememberDeletions } from '../application/recent-deletions.ts';
import { fromHomeError } from '../../home-errors.ts';
import { recordDeed, requireNamespace, requireSynced, type ApplicationSetServiceOptions } from './application-set-context.ts';
import { checkedSet, createApplicationSet } from './create.ts';
import { findApplicationSet } from './find-application-set.ts';
import { createSelection, selectApplicationSets } from './select-application-sets.ts';
import { watchApplicationSets } from './watch.ts';

interface Named {
  readonly name?: string;
  readonly appsetNamespace?: string;
}

/** Application sets for clients of the API. There is no update: that is a create with `upsert`. */
export function createApplicationSetService(context: ApplicationSetServiceOptions): ApplicationSetService<Call> {
  const deletions = rememberDeletions(context.applicationSets, context.clock);
  const get = ({ name, appsetNamespace }: Named, call: Call): Promise<ApplicationSet> =>
    findApplicationSet(context, call, {
      name,
      namespace: requireNamespace(context, appsetNamespace),
      action: 'get',
      failure: 'error getting ApplicationSet',
    });
  return {
    Get: get,
    Create: (request, call) => createApplicationSet(context, request, call),
    Watch: (request, call) => watchApplicationSets({ ...context, deletions }, request, call),

    async List({ projects = [], selector = '', appsetNamespace = '' }, call) {
      if (appsetNamespace !== '') requireNamespace(context, appsetNamespace);
      const matches = createSelection(context, call, { projects, selector, namespace: appsetNamespace });
      await requireSynced(context, call.signal);
      const items = [...selectApplicationSets(context.applicationSets.values(), matches)];
      items.sort((one, other) => compareText(one.metadata.name ?? '', other.metadata.name ?? ''));
      return { metadata: { resourceVersion: context.applicationSets.resourceVersion }, items };
    },

    async Generate({ applicationSet }, call) {
      const set = checkedSet(context, call, applicationSet);
      // What is shown is where the request says, which may be nowhere.
      const asked = { ...set, metadata: { ...set.metadata, namespace: applicationSet?.metadata.namespace ?? '' } };
      const applications = await context.preview.generate(set, { signal: call.signal });
      const { namespace } = asked.metadata;
      return { applications: applications.map((one) => ({ ...one, metadata: { ...one.metadata, namespace } })) };
    },

    async Delete({ name, appsetNamespace }, call) {
      const namespace = requireNamespace(context, appsetNamespace);
      const set = await findApplicationSet(context, call, { name, namespace, action: 'delete', failure: 'error getting ApplicationSets' });
      const { uid } = set.metadata;
      try {
        const preconditions = uid === undefined ? {} : { preconditions: { uid } };
        await context.home.delete(applicationSetType, { namespace, name: name ?? '' }, { ...preconditions, signal: call.signal });
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw fromHomeError(error);
      }
      recordDeed(context, call, set, { reason: 'ResourceDeleted', did: 'deleted ApplicationSets' });
      return {};
    },

    ResourceTree: async (request, call) => describeTree(await get(request, call)),

    async ListResourceEvents(request, call) {
      const { metadata } = await get(request, call);
      const { namespace = '', name = '', uid = '' } = metadata;
      return listEvents(context.home, { namespace, name, uid }, call.signal);
    },
  };
}

/** One node for each application. */
function describeTree({ metadata, status }: ApplicationSet): ApplicationSetTree {
  const { name = '', namespace = '', uid } = metadata;
  const parent = { group: 'argoproj.io', version: 'v1alpha1', kind: 'ApplicationSet', name, namespace, ...(uid && { uid }) };
  const nodes = (status?.resources ?? []).map(({ group = '', version = '', kind = '', name: own = '', health }) => ({
    group,
    version,
    kind,
    name: own,
    namespace,
    parentRefs: [parent],
    ...(health && { health }),
  }));
  return { nodes: nodes.sort((one, other) => compareText(fullName(one), fullName(other))) };
}

function fullName({ group, kind, namespace, name }: Readonly<Record<'group' | 'kind' | 'namespace' | 'name', string>>): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
