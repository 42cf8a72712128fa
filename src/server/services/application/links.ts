import { ApiError } from '../../../base/index.ts';
import type { Cluster } from '../../../clusters/index.ts';
import type { LinksResponse } from '../../../contract/index.ts';
import type { Application } from '../../../model/index.ts';
import { listLinks } from '../deep-links.ts';
import { knownProject } from '../project/project-context.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { readResource, type LiveResource } from './live-resource.ts';

/** The links that settings show beside an application. */
export function listApplicationLinks(context: ApplicationServiceOptions, application: Application): LinksResponse {
  const cluster = findCluster(context, application);
  const { applicationLinks, url: serverUrl } = context.settings.current.general;
  return listLinks(applicationLinks, { application, serverUrl, ...(cluster && { cluster }) });
}

/** The links that settings show beside a resource, which is masked where it is a Secret. */
export async function listResourceLinks(
  context: ApplicationServiceOptions,
  found: LiveResource,
  signal: AbortSignal,
): Promise<LinksResponse> {
  const { resourceLinks } = context.settings.current.general;
  if (resourceLinks.length === 0) return {};
  const { application, cluster } = found;
  const project = knownProject(context, application.spec.project || 'default');
  return listLinks(resourceLinks, {
    application,
    cluster,
    resource: await readResource(context, found, signal),
    ...(project && { project }),
  });
}

/** A link may be shown also where the destination is not known. */
function findCluster({ clusters }: ApplicationServiceOptions, { spec }: Application): Cluster | undefined {
  try {
    return clusters.resolve(spec.destination);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
