import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationCreateRequest } from '../../../contract/index.ts';
import { applicationToObject, applicationType, readApplication, sameApplication, type Application } from '../../../model/index.ts';
import { isStatusError, validatePathSegment } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationObject, requireProject } from './find-application.ts';
import { recordApplicationEvent } from './record-event.ts';
import { replaceApplication } from './replace.ts';
import { storedSpec } from './stored-spec.ts';
import { validateApplication } from './validate.ts';

/** Creates an application; one that exists and means the same is returned as it is. */
export async function createApplication(
  context: ApplicationServiceOptions,
  { application: given, upsert = false, validate = true }: ApplicationCreateRequest,
  call: Call,
): Promise<Application> {
  if ((given as Application | undefined)?.metadata === undefined)
    throw new ApiError(Code.InvalidArgument, 'error creating application: application is nil in request');
  const application = prepareApplication(context, given);
  const { metadata, spec } = application;
  const namespace = metadata.namespace ?? '';
  const object = applicationObject(context, spec.project, metadata);
  requireAllowed(context.policy, call, { resource: 'applications', action: 'create', object });
  const project = requireProject(context, application);
  await validateApplication(context, application, { project, repositories: validate, signal: call.signal });
  if (!context.isNamespaceEnabled(namespace)) throw new ApiError(Code.Unknown, `namespace '${namespace}' is not permitted`);
  try {
    const created = await context.home.create(applicationType, applicationToObject(application), { signal: call.signal });
    context.applications.noticeWrite(created);
    const stored = readApplication(created);
    await recordApplicationEvent(context, call, stored, { reason: 'ResourceCreated', action: 'created application' });
    return stored;
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw fromHomeError(error);
  }
  const ref = { namespace, name: metadata.name ?? '' };
  const existing = readApplication(await withHomeErrors(() => context.home.get(applicationType, ref, { signal: call.signal })));
  const owned = applicationObject(context, existing.spec.project || 'default', metadata);
  // Whose it is and what it says is not for those who may not see it.
  if (owned !== object && !mayDo(context.policy, call, { resource: 'applications', action: 'get', object: owned }))
    throw permissionDenied();
  if (sameApplication(existing, application)) return existing;
  if (!upsert) throw new ApiError(Code.InvalidArgument, 'existing application spec is different, use upsert flag to force update');
  for (const touched of new Set([object, owned]))
    requireAllowed(context.policy, call, { resource: 'applications', action: 'update', object: touched });
  const replaced = await replaceApplication(
    context,
    existing,
    (current) => ({
      ...application.metadata,
      labels: { ...current.metadata.labels, ...metadata.labels },
      annotations: { ...current.metadata.annotations, ...metadata.annotations },
      spec,
    }),
    call.signal,
  );
  await recordApplicationEvent(context, call, replaced, { reason: 'ResourceUpdated', action: 'updated application' });
  return replaced;
}

/** What of a request is kept: no status, and no operation that nobody would have checked. */
export function prepareApplication(context: ApplicationServiceOptions, { metadata, spec }: Application): Application {
  const { name = '', labels, annotations, finalizers } = metadata;
  // Policies name an application with slashes between its parts: one in its name would be read as the end of a namespace.
  const [misnamed] = validatePathSegment(name);
  if (misnamed !== undefined) throw new ApiError(Code.InvalidArgument, `the name ${JSON.stringify(name)} of the application ${misnamed}`);
  return {
    metadata: {
      name,
      namespace: metadata.namespace || context.namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    },
    spec: storedSpec(spec),
  };
}
