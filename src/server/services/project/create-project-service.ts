import { ApiError, Code } from '../../../base/index.ts';
import type { AppProjectList, ProjectService } from '../../../contract/index.ts';
import { isWindowActive, readProject, SyncWindowError, type AppProject, type SyncWindow } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { listEvents } from '../application/events.ts';
import { mayDo, requireAllowed } from '../authorise.ts';
import { listLinks } from '../deep-links.ts';
import { createProject, deleteProject, updateProject } from './change-project.ts';
import { describeProject } from './detailed-project.ts';
import { globalProjectsOf, type ProjectServiceOptions } from './project-context.ts';
import { createRoleToken, deleteRoleToken } from './role-tokens.ts';
import { readStored } from './store-project.ts';

/** How long a list waits for the projects to be read after a start. */
const syncLimitMs = 30_000;

export function createProjectService(context: ProjectServiceOptions): ProjectService<Call> {
  return {
    List: async (_request, call) => listProjects(context, call),
    Get: async ({ name = '' }, call) => readAllowed(context, call, name),
    Create: (request, call) => createProject(context, request, call),
    Update: (request, call) => updateProject(context, request, call),
    Delete: ({ name = '' }, call) => deleteProject(context, name, call),

    GetDetailedProject: async ({ name = '' }, call) => describeProject(context, await readAllowed(context, call, name)),
    CreateToken: (request, call) => createRoleToken(context, request, call),
    DeleteToken: (request, call) => deleteRoleToken(context, request, call),

    async GetGlobalProjects({ name = '' }, call) {
      const project = await readAllowed(context, call, name);
      return { items: [...globalProjectsOf(context, project)] };
    },

    async ListEvents({ name = '' }, call) {
      const { metadata } = await readAllowed(context, call, name);
      return listEvents(context.home, { namespace: context.namespace, name, uid: metadata.uid ?? '' }, call.signal);
    },

    async ListLinks({ name = '' }, call) {
      if (!mayDo(context.policy, call, { resource: 'projects', action: 'get', object: name }))
        throw new ApiError(Code.Unknown, `unauthorized access to project ${name}`);
      return listLinks(context.settings.current.general.projectLinks, { project: await readStored(context, name, call.signal) });
    },

    async GetSyncWindowsState({ name = '' }, call) {
      const { spec } = await readAllowed(context, call, name);
      const windows = findActive(spec.syncWindows ?? [], context.clock.nowMs());
      return windows.length > 0 ? { windows } : {};
    },
  };
}

async function listProjects(context: ProjectServiceOptions, call: Call): Promise<AppProjectList> {
  if (!(await context.projects.whenSynced(syncLimitMs, call.signal)))
    throw new ApiError(Code.Unavailable, 'the projects have not been read yet, please try again');
  const items = [...context.projects.values()]
    .map(readProject)
    .filter(({ metadata }) => mayDo(context.policy, call, { resource: 'projects', action: 'get', object: metadata.name ?? '' }))
    .toSorted((one, other) => ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1));
  return { metadata: { resourceVersion: context.projects.resourceVersion }, items };
}

/** Who may not see a project learns nothing about it. */
function readAllowed(context: ProjectServiceOptions, call: Call, name: string): Promise<AppProject> {
  requireAllowed(context.policy, call, { resource: 'projects', action: 'get', object: name });
  return readStored(context, name, call.signal);
}

function findActive(windows: readonly SyncWindow[], nowMs: number): SyncWindow[] {
  try {
    return windows.filter((window) => isWindowActive(window, nowMs));
  } catch (error) {
    if (error instanceof SyncWindowError) throw new ApiError(Code.Unknown, error.message);
    throw error;
  }
}
