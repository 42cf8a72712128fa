import type { ApplicationService } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { deleteResource, patchResource } from './change-resource.ts';
import { createApplication } from './create.ts';
import { deleteApplication } from './delete.ts';
import { listApplicationEvents } from './events.ts';
import { findApplication } from './find-application.ts';
import { getApplication } from './get.ts';
import { listApplications } from './list.ts';
import { listApplicationLinks, listResourceLinks } from './links.ts';
import { findLiveResource, getResource } from './live-resource.ts';
import { streamPodLogs } from './pod-logs.ts';
import { listResourceActions, runResourceAction } from './resource-actions.ts';
import { rememberDeletions } from './recent-deletions.ts';
import { withResourceHealth } from './resource-health.ts';
import { readChartDetails, readOciMetadata, readRevisionMetadata } from './revision-metadata.ts';
import { listManagedResources, readManifests, readTree, watchTree } from './resources.ts';
import { diffOnServer } from './server-side-diff.ts';
import { createUploadRenderer } from './render-upload.ts';
import { describeWindows } from './sync-windows.ts';
import { rollbackApplication } from './rollback.ts';
import { syncApplication, terminateApplicationOperation } from './sync.ts';
import { patchApplication, updateApplication, updateApplicationSpec } from './update.ts';
import { watchApplications } from './watch.ts';

/** All that can be asked about applications and done with them. */
export function createApplicationService(context: ApplicationServiceOptions): Partial<ApplicationService<Call>> {
  const deletions = rememberDeletions(context.applications, context.clock);
  const renderUpload = createUploadRenderer();
  return {
    List: (request, call) => listApplications(context, request, call),
    Watch: (request, call) => watchApplications({ ...context, deletions }, request, call),
    Get: async (request, call) => withResourceHealth(context, await getApplication(context, request, call)),
    Create: (request, call) => createApplication(context, request, call),
    Update: (request, call) => updateApplication(context, request, call),
    UpdateSpec: (request, call) => updateApplicationSpec(context, request, call),
    Patch: (request, call) => patchApplication(context, request, call),
    Delete: (request, call) => deleteApplication(context, request, call),
    Sync: async (request, call) => withResourceHealth(context, await syncApplication(context, request, call)),
    Rollback: async (request, call) => withResourceHealth(context, await rollbackApplication(context, request, call)),
    TerminateOperation: (request, call) => terminateApplicationOperation(context, request, call),
    ResourceTree: (request, call) => readTree(context, request, call),
    WatchResourceTree: (request, call) => watchTree(context, request, call),
    ManagedResources: (request, call) => listManagedResources(context, request, call),
    ServerSideDiff: (request, call) => diffOnServer(context, request, call),
    GetManifestsWithFiles: (requests, call) => renderUpload(context, requests, call),
    GetManifests: (request, call) => readManifests(context, request, call),
    GetResource: (request, call) => getResource(context, request, call),
    PatchResource: (request, call) => patchResource(context, request, call),
    DeleteResource: (request, call) => deleteResource(context, request, call),
    ListResourceActions: (request, call) => listResourceActions(context, request, call),
    RunResourceAction: (request, call) => runResourceAction(context, request, call),
    RunResourceActionV2: (request, call) => runResourceAction(context, request, call),
    RevisionMetadata: (request, call) => readRevisionMetadata(context, request, call),
    RevisionChartDetails: (request, call) => readChartDetails(context, request, call),
    GetOCIMetadata: (request, call) => readOciMetadata(context, request, call),
    PodLogs: (request, call) => streamPodLogs(context, request, call),
    ListResourceEvents: (request, call) => listApplicationEvents(context, request, call),

    async ListLinks({ name, namespace = '', project = '' }, call) {
      const { application } = await findApplication(context, call, { name, appNamespace: namespace, project, action: 'get' });
      return listApplicationLinks(context, application);
    },

    async ListResourceLinks(request, call) {
      return listResourceLinks(context, await findLiveResource(context, request, call), call.signal);
    },

    async GetApplicationSyncWindows(request, call) {
      const { application, project } = await findApplication(context, call, { ...request, action: 'get' });
      return describeWindows(application, project, context.clock.nowMs());
    },
  };
}
