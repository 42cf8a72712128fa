import { ApiError, Code } from '../../../base/index.ts';
import type { AppProjectList, ProjectService } from '../../../contract/index.ts';
import { appProjectType, readProject, type AppProject } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { listEvents } from '../application/events.ts';
import { mayDo, requireAllowed } from '../authorise.ts';
import { withHomeErrors } from '../home-errors.ts';
import { noLinks } from '../no-links.ts';
import { createProject, deleteProject, updateProject } from './change-project.ts';
import { effectiveProject, globalProjectsOf, type ProjectServiceOptions } from './project-context.ts';

/** How long a list waits for the projects to be read after a start. */
const syncLimitMs = 30_000;

/** The project service as far as it goes; a method that is not here answers that it is not implemented. */
export function createProjectService(context: ProjectServiceOptions): Partial<ProjectService<Call>> {
  return {
    List: async (_request, call) => listProjects(context, call),
    Get: ({ name = '' }, call) => readAllowed(context, call, name),
    Create: (request, call) => createProject(context, request, call),
    Update: (request, call) => updateProject(context, request, call),
    Delete: ({ name = '' }, call) => deleteProject(context, name, call),

    async GetDetailedProject({ name = '' }, call) {
      const project = await readAllowed(context, call, name);
      return { project: effectiveProject(context, project), globalProjects: [...globalProjectsOf(context, project)] };
    },

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
      return noLinks(context.settings.current.general.projectLinks);
    },

    async GetSyncWindowsState({ name = '' }, call) {
      const { spec } = await readAllowed(context, call, name);
      if ((spec.syncWindows ?? []).length > 0)
        throw new ApiError(Code.Unimplemented, `project ${name} has sync windows, which are not implemented yet`);
      return {};
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

/** Read anew: whoever changes a project starts from what this gives. Who may not see it learns nothing about it. */
async function readAllowed({ home, namespace, policy }: ProjectServiceOptions, call: Call, name: string): Promise<AppProject> {
  requireAllowed(policy, call, { resource: 'projects', action: 'get', object: name });
  if (name === '') throw new ApiError(Code.NotFound, `appprojects.argoproj.io "" not found`);
  return readProject(await withHomeErrors(() => home.get(appProjectType, { namespace, name }, { signal: call.signal })));
}
