import { ApiError, backOffMs, Code, pause } from '../../../base/index.ts';
import { appProjectType, projectToObject, readProject, type AppProject } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import type { ProjectServiceOptions } from './project-context.ts';

/** With each conflict somebody else has got further, so this many mean that something is wrong. */
const attemptsMax = 40;
const conflictBackOff = { firstMs: 4, maxMs: 250 };

/** Read anew: whoever changes a project starts from what this gives. */
export async function readStored({ home, namespace }: ProjectServiceOptions, name: string, signal: AbortSignal): Promise<AppProject> {
  if (name === '') throw new ApiError(Code.NotFound, `appprojects.argoproj.io "" not found`);
  return readProject(await withHomeErrors(() => home.get(appProjectType, { namespace, name }, { signal })));
}

/** Counts only for the version that it was made from. */
export async function writeStored(
  { home, projects }: ProjectServiceOptions,
  project: AppProject,
  signal: AbortSignal,
): Promise<AppProject> {
  const stored = await home.update(appProjectType, projectToObject(project), { signal });
  projects.noticeWrite(stored);
  return readProject(stored);
}

/**
 * Changes a project without undoing what others do meanwhile: `change` is asked again where somebody else was faster. Gives what is stored then,
 * or undefined where there was nothing to change.
 */
export async function modifyStored(
  context: ProjectServiceOptions,
  name: string,
  change: (project: AppProject) => AppProject | undefined,
  signal: AbortSignal,
): Promise<AppProject | undefined> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const changed = change(await readStored(context, name, signal));
    if (changed === undefined) return undefined;
    try {
      return await writeStored(context, changed, signal);
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw fromHomeError(error);
    }
    await pause(context.timers, backOffMs(conflictBackOff, attempt, Math.random), signal);
    signal.throwIfAborted();
  }
  throw new ApiError(Code.Aborted, `project ${name} is being changed by others all the time; try again`);
}
