import { ApiError, Code } from '../../../base/index.ts';
import type { ChartDetails, OCIMetadata, RevisionMetadata, RevisionMetadataQuery } from '../../../contract/index.ts';
import { hasMultipleSources, sourcesOf, type Application, type ApplicationSource } from '../../../model/index.ts';
import { findIntegrity } from '../../../sources/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

/** Tells what a revision of an application's source says about itself. */
export async function readRevisionMetadata(
  context: ApplicationServiceOptions,
  query: RevisionMetadataQuery,
  call: Call,
): Promise<RevisionMetadata> {
  const { application, project } = await findApplication(context, call, { ...query, action: 'get' });
  const source = chooseSource(application, query);
  const integrity = findIntegrity(project.spec, source.repoURL, context.settings.current.gpgKeys);
  const options = { project: application.spec.project || 'default', integrity, signal: call.signal };
  return context.sources.revisionMetadata(source, query.revision, options);
}

/** Tells what a version of an application's chart says about itself. */
export async function readChartDetails(
  context: ApplicationServiceOptions,
  query: RevisionMetadataQuery,
  call: Call,
): Promise<ChartDetails> {
  const { application } = await findApplication(context, call, { ...query, action: 'get' });
  const source = chooseSource(application, query);
  if ((source.chart ?? '') === '') throw new ApiError(Code.Unknown, `no chart found for application: ${query.name}`);
  return context.sources.chartDetails(source, query.revision, { project: application.spec.project || 'default', signal: call.signal });
}

/** Tells what an image of a registry, which an application's source is, says about itself. */
export async function readOciMetadata(context: ApplicationServiceOptions, query: RevisionMetadataQuery, call: Call): Promise<OCIMetadata> {
  const { application } = await findApplication(context, call, { ...query, action: 'get' });
  const source = chooseSource(application, query);
  return context.sources.ociMetadata(source, query.revision, { project: application.spec.project || 'default', signal: call.signal });
}

/** The source of today, or, with the id of a deployment, that of then. */
function chooseSource(application: Application, { sourceIndex, versionId }: RevisionMetadataQuery): ApplicationSource {
  const sources = versionId === undefined ? sourcesOf(application) : sourcesOfDeployment(application, versionId);
  const index = sourceIndex ?? 0;
  const found = sources[index];
  if (found !== undefined) return found;
  const count = hasMultipleSources(application) ? `there are only ${sources.length} sources` : 'there is only 1 source';
  throw new ApiError(Code.Unknown, `source index ${index} not found because ${count}`);
}

function sourcesOfDeployment({ status }: Application, id: number): readonly ApplicationSource[] {
  const history = status?.history ?? [];
  if (history.length === 0) throw new ApiError(Code.Unknown, `version ID ${id} not found because the app has no history`);
  const entry = history.find((one) => one.id === id);
  if (entry === undefined) throw new ApiError(Code.Unknown, `revision history not found for version ID ${id}`);
  return entry.sources && entry.sources.length > 0 ? entry.sources : entry.source ? [entry.source] : [];
}
