import type {
  ApplicationManifestQuery,
  ApplicationTree,
  ManagedResourcesResponse,
  ManifestResponse,
  ResourcesQuery,
} from '../../../contract/index.ts';
import { hasMultipleSources, sourcesOf, type Application } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { askedRevisions } from './asked-revisions.ts';
import { ChangeQueue } from './change-queue.ts';
import { findApplication } from './find-application.ts';

/** The tree of an application's resources as it is now. */
export async function readTree(context: ApplicationServiceOptions, query: ResourcesQuery, call: Call): Promise<ApplicationTree> {
  const application = await findQueried(context, query, call);
  return context.inspector.tree(application, { signal: call.signal });
}

/** The tree now and whenever it changes; changes that come while a client reads are one. */
export async function* watchTree(context: ApplicationServiceOptions, query: ResourcesQuery, call: Call): AsyncIterable<ApplicationTree> {
  const application = await findQueried(context, query, call);
  const queue = new ChangeQueue<undefined>(1);
  let isWaiting = false;
  const unsubscribe = context.inspector.onTreeChange(application, () => {
    if (!isWaiting) queue.push(undefined);
    isWaiting = true;
  });
  try {
    let last = '';
    while (!call.signal.aborted) {
      isWaiting = false;
      // What is looked at may have changed too, or be gone.
      const current = await findQueried(context, query, call);
      const tree = await context.inspector.tree(current, { signal: call.signal });
      const text = JSON.stringify(tree);
      if (text !== last) yield tree;
      last = text;
      await queue.take(call.signal);
    }
  } finally {
    unsubscribe();
  }
}

/** What is declared beside what there is; hooks are no lasting part of it and left out. */
export async function listManagedResources(
  context: ApplicationServiceOptions,
  query: ResourcesQuery,
  call: Call,
): Promise<ManagedResourcesResponse> {
  const application = await findQueried(context, query, call);
  const { namespace = '', name = '', group = '', kind = '' } = query;
  const items = await context.inspector.managedResources(application, { signal: call.signal });
  return {
    items: items.filter(
      (item) =>
        item.hook !== true &&
        (namespace === '' || item.namespace === namespace) &&
        (name === '' || item.name === name) &&
        (group === '' || item.group === group) &&
        (kind === '' || item.kind === kind),
    ),
  };
}

/** What an application's sources render to, at its target revision or at another. */
export async function readManifests(
  context: ApplicationServiceOptions,
  query: ApplicationManifestQuery,
  call: Call,
): Promise<ManifestResponse> {
  const { application } = await findApplication(context, call, { ...query, action: 'get' });
  const { noCache = false } = query;
  const isMultiple = hasMultipleSources(application);
  // Of several sources, one revision alone says nothing.
  const asked = askedRevisions(isMultiple ? { ...query, revision: '' } : query, sourcesOf(application).length);
  return context.inspector.manifests(application, { revisions: asked, fresh: noCache, signal: call.signal });
}

async function findQueried(context: ApplicationServiceOptions, query: ResourcesQuery, call: Call): Promise<Application> {
  const { applicationName: name, appNamespace = '', project = '' } = query;
  const { application } = await findApplication(context, call, { name, appNamespace, project, action: 'get' });
  return application;
}
