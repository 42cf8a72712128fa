import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSetCreateRequest } from '../../../contract/index.ts';
import { applicationSetToObject, applicationSetType, readApplicationSet, type ApplicationSet } from '../../../model/index.ts';
import { canonicalJson, isStatusError, type JsonValue, type KubeObject } from '../../../objects/index.ts';
import type { Asker, Call } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import { toStoredForm } from '../stored-form.ts';
import {
  applicationSetObject,
  projectOf,
  recordDeed,
  requireNamespace,
  type ApplicationSetServiceOptions,
} from './application-set-context.ts';
import { requireProjects, validateApplicationSet } from './check-application-set.ts';

const ATTEMPTS_MAX = 10;

/** Creates an application set; one that exists and means the same is returned as it is. */
export async function createApplicationSet(
  context: ApplicationSetServiceOptions,
  { applicationset: given, upsert = false, dryRun = false }: ApplicationSetCreateRequest,
  call: Call,
): Promise<ApplicationSet> {
  const set = checkedSet(context, call, given);
  if (dryRun) return withPreview(context, set, call);
  try {
    const created = await context.home.create(applicationSetType, applicationSetToObject(set), { signal: call.signal });
    context.applicationSets.noticeWrite(created);
    const stored = readApplicationSet(created);
    recordDeed(context, call, stored, { reason: 'ResourceCreated', did: 'created ApplicationSet' });
    return stored;
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw fromHomeError(error);
  }
  return replace(context, set, upsert, call);
}

/** What of a request is kept, if it may be: no status, and only where the caller may put it. */
export function checkedSet(context: ApplicationSetServiceOptions, call: Asker, given: ApplicationSet | undefined): ApplicationSet {
  if ((given as Partial<ApplicationSet> | undefined)?.metadata === undefined || given === undefined)
    throw new ApiError(Code.InvalidArgument, 'error creating ApplicationSets: ApplicationSets is nil in request');
  const { name = '', labels, annotations, finalizers } = given.metadata;
  const spec = (given as Partial<ApplicationSet>).spec ?? ({} as ApplicationSet['spec']);
  const bare = readApplicationSet({ apiVersion: '', kind: '', metadata: {}, spec: spec as unknown as JsonValue });
  const set: ApplicationSet = {
    metadata: {
      name,
      namespace: given.metadata.namespace || context.namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    },
    spec: toStoredForm('argoproj.v1alpha1.ApplicationSetSpec', bare.spec),
  };
  validateApplicationSet(set);
  requireNamespace(context, set.metadata.namespace);
  requireProjects(context, call, set, 'create');
  return set;
}

async function withPreview(context: ApplicationSetServiceOptions, set: ApplicationSet, call: Call): Promise<ApplicationSet> {
  try {
    const applications = await context.preview.generate(set, { signal: call.signal });
    const resources = applications.map(({ metadata }) => ({ name: metadata.name ?? '', namespace: metadata.namespace ?? '' }));
    return { ...set, status: { resources } };
  } catch (error) {
    if (error instanceof ApiError)
      throw new ApiError(error.code, `unable to generate Applications of ApplicationSet: ${error.message}`, { cause: error });
    throw error;
  }
}

async function replace(context: ApplicationSetServiceOptions, set: ApplicationSet, upsert: boolean, call: Call): Promise<ApplicationSet> {
  const { namespace = '', name = '' } = set.metadata;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const object = await withHomeErrors(() => context.home.get(applicationSetType, { namespace, name }, { signal: call.signal }));
    const existing = readApplicationSet(object);
    const owned = applicationSetObject(context, projectOf(existing), existing.metadata);
    const isMoved = projectOf(existing) !== projectOf(set);
    // Whose it is and what it says is not for those who may not see it.
    if (isMoved && !mayDo(context.policy, call, { resource: 'applicationsets', action: 'get', object: owned })) throw permissionDenied();
    if (comparable(existing) === comparable(set)) return existing;
    if (!upsert) throw new ApiError(Code.InvalidArgument, 'existing ApplicationSet spec is different, use upsert flag to force update');
    requireProjects(context, call, set, 'update');
    if (isMoved) requireAllowed(context.policy, call, { resource: 'applicationsets', action: 'update', object: owned });
    try {
      const stored = await context.home.update(applicationSetType, merged(object, set), { signal: call.signal });
      context.applicationSets.noticeWrite(stored);
      const updated = readApplicationSet(stored);
      recordDeed(context, call, updated, { reason: 'ResourceUpdated', did: 'updated ApplicationSets spec' });
      return updated;
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw fromHomeError(error);
    }
  }
  throw new ApiError(Code.Internal, 'Failed to update ApplicationSets. Too many conflicts');
}

/** Spec and finalizers are replaced; labels and annotations that only the present one has stay. */
function merged(object: KubeObject, { metadata, spec }: ApplicationSet): KubeObject {
  const { finalizers: _replaced, ...kept } = object.metadata;
  return {
    ...object,
    metadata: {
      ...kept,
      labels: { ...object.metadata.labels, ...metadata.labels },
      annotations: { ...object.metadata.annotations, ...metadata.annotations },
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
    },
    spec: spec as unknown as JsonValue,
  };
}

function comparable({ metadata, spec }: ApplicationSet): string {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  const value = { labels, annotations, finalizers, spec: toStoredForm('argoproj.v1alpha1.ApplicationSetSpec', spec) };
  return canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);
}
