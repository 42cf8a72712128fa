import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationQuery } from '../../../contract/index.ts';
import { sourcesOf, type Application } from '../../../model/index.ts';
import { matchesLabelSelector, parseLabelSelector, type KubeObject } from '../../../objects/index.ts';
import type { Asker } from '../../call.ts';
import { mayDo } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { factsOf, type ApplicationFacts } from './application-facts.ts';
import { readStored } from './encoded-applications.ts';
import { createFilter, isExtended } from './filter-applications.ts';
import { applicationObject } from './find-application.ts';

/** How long a list waits for the applications to be read after a start. */
const syncLimitMs = 30_000;

/** The longest selector that is read; longer ones are no question but an attack. */
const selectorCharactersMax = 16_384;

export interface Selection {
  /** Whether a query means an application, and the caller may see it. */
  readonly matches: (application: Application, facts?: ApplicationFacts) => boolean;
  /** Whether the caller may see it. */
  readonly isVisible: (application: Application) => boolean;
}

/** Which applications a query means and the caller may see. Throws ApiError for a selector or a filter that cannot be read. */
export function createSelection(context: ApplicationServiceOptions, call: Pick<Asker, 'caller'>, query: ApplicationQuery): Selection {
  const { name = '', repo = '', appNamespace = '', selector = '' } = query;
  const projects = new Set(query.project?.length ? query.project : query.projects);
  const labels = readSelector(selector);
  const passes = isExtended(query) ? createFilter(context, query) : () => true;
  const isVisible = ({ metadata, spec }: Application): boolean => {
    const object = applicationObject(context, spec.project || 'default', metadata);
    return (
      context.isNamespaceEnabled(metadata.namespace ?? '') &&
      mayDo(context.policy, call, { resource: 'applications', action: 'get', object })
    );
  };
  const matches = (application: Application, facts = factsOf(application)): boolean => {
    const { metadata, spec } = application;
    return (
      (name === '' || metadata.name === name) &&
      (appNamespace === '' || metadata.namespace === appNamespace) &&
      (projects.size === 0 || projects.has(spec.project || 'default')) &&
      (repo === '' || sourcesOf(application)[0]?.repoURL === repo) &&
      (labels === undefined || matchesLabelSelector(labels, metadata.labels ?? {})) &&
      passes(application, facts) &&
      isVisible(application)
    );
  };
  return { matches, isVisible };
}

function readSelector(text: string): ReturnType<typeof parseLabelSelector> | undefined {
  if (text === '') return undefined;
  if (text.length > selectorCharactersMax) throw new ApiError(Code.InvalidArgument, 'error parsing the selector: it is too long');
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new ApiError(Code.InvalidArgument, `error parsing the selector: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Makes sure that the applications are known; a list that is not complete must not look as if it were. */
export async function requireSynced({ applications }: Pick<ApplicationServiceOptions, 'applications'>, signal: AbortSignal): Promise<void> {
  if (await applications.whenSynced(syncLimitMs, signal)) return;
  throw new ApiError(Code.Unavailable, 'the applications have not been read yet, please try again');
}

export function* selectApplications(objects: Iterable<KubeObject>, matches: (application: Application) => boolean): Iterable<Application> {
  for (const object of objects) {
    const application = readStored(object);
    if (matches(application)) yield application;
  }
}
