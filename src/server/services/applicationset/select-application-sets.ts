import { ApiError, Code } from '../../../base/index.ts';
import { readApplicationSet, type ApplicationSet } from '../../../model/index.ts';
import { matchesLabelSelector, parseLabelSelector, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { mayDo } from '../authorise.ts';
import { applicationSetObject, projectOf, type ApplicationSetServiceOptions } from './application-set-context.ts';

export interface SelectionQuery {
  readonly name?: string;
  readonly projects?: readonly string[];
  readonly selector?: string;
  /** Empty is any. */
  readonly namespace?: string;
}

/** Which application sets a query means and the caller may see. Throws ApiError for a selector that cannot be read. */
export function createSelection(
  context: ApplicationSetServiceOptions,
  call: Call,
  { name = '', projects = [], selector = '', namespace = '' }: SelectionQuery,
): (set: ApplicationSet) => boolean {
  const wanted = new Set(projects);
  const labels = readSelector(selector);
  return (set) => {
    const { metadata } = set;
    const project = projectOf(set);
    return (
      (name === '' || metadata.name === name) &&
      (namespace === '' || metadata.namespace === namespace) &&
      (wanted.size === 0 || wanted.has(project)) &&
      (labels === undefined || matchesLabelSelector(labels, metadata.labels ?? {})) &&
      context.isNamespaceEnabled(metadata.namespace ?? '') &&
      mayDo(context.policy, call, { resource: 'applicationsets', action: 'get', object: applicationSetObject(context, project, metadata) })
    );
  };
}

function readSelector(text: string): ReturnType<typeof parseLabelSelector> | undefined {
  if (text === '') return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new ApiError(Code.InvalidArgument, `error parsing the selector: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function* selectApplicationSets(objects: Iterable<KubeObject>, matches: (set: ApplicationSet) => boolean): Iterable<ApplicationSet> {
  for (const object of objects) {
    const set = readApplicationSet(object);
    if (matches(set)) yield set;
  }
}
