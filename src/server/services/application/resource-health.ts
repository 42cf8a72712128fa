import { ApiError } from '../../../base/index.ts';
import type { LiveCache } from '../../../clusters/index.ts';
import type { Application, ResourceStatus } from '../../../model/index.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

/** An application with the health of each of its resources, where that is not written down with them: it is taken from what lives. */
export function withResourceHealth({ clusters }: ApplicationServiceOptions, application: Application): Application {
  const { status, spec } = application;
  const { resources = [] } = status ?? {};
  if (status?.resourceHealthSource !== 'appTree' || resources.length === 0) return application;
  try {
    const { cache } = clusters.resolve(spec.destination);
    return { ...application, status: { ...status, resources: resources.map((resource) => withHealth(cache, resource)) } };
  } catch (error) {
    // The cluster is not known, or has not been read yet: then nothing is known of health.
    if (error instanceof ApiError) return application;
    throw error;
  }
}

function withHealth(cache: LiveCache, resource: ResourceStatus): ResourceStatus {
  const { group = '', kind = '', namespace = '', name = '' } = resource;
  const row = cache.find({ group, kind, namespace, name });
  if (row === undefined) return { ...resource, health: { status: 'Missing', message: 'Resource has not been created' } };
  return row.health === undefined ? resource : { ...resource, health: row.health };
}
