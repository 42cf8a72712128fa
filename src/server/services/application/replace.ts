import { ApiError, Code } from '../../../base/index.ts';
import { applicationToObject, applicationType, readApplication, type Application, type ApplicationSpec } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { readAgain } from './read-again.ts';

/** What of an application its users decide. */
export interface ApplicationContent {
  readonly spec: ApplicationSpec;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
}

const ATTEMPTS_MAX = 10;

/**
 * Stores another content of an application. Where somebody else writes at the same time, the content is asked for again with what they
 * wrote, so that nothing of it is lost; status and operation stay as they are. Throws Aborted where they moved it to another project.
 */
export async function replaceApplication(
  context: ApplicationServiceOptions,
  application: Application,
  contentFor: (current: Application) => ApplicationContent | Promise<ApplicationContent>,
  signal: AbortSignal,
): Promise<Application> {
  let current = application;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      const next = withContent(current, await contentFor(current));
      const stored = await context.home.update(applicationType, applicationToObject(next), { signal });
      context.applications.noticeWrite(stored);
      return readApplication(stored);
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) return await withHomeErrors(() => Promise.reject(error));
      current = await readAgain(context, application, signal);
    }
  }
  throw new ApiError(Code.Internal, 'Failed to update application. Too many conflicts');
}

function withContent(current: Application, { spec, labels, annotations, finalizers }: ApplicationContent): Application {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...metadata } = current.metadata;
  return {
    ...current,
    metadata: {
      ...metadata,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
    },
    spec,
  };
}
