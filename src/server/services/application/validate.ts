import { ApiError, Code } from '../../../base/index.ts';
import {
  applicationInstanceName,
  describeProblems,
  findManagedByUrlProblem,
  findProjectProblems,
  findSpecProblems,
  hasMultipleSources,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type AppProject,
  type SpecProblem,
} from '../../../model/index.ts';
import { capabilitiesOf, type Capabilities, type Cluster } from '../../../clusters/index.ts';
import { readRenderSettings, type ReferencedSource } from '../../../sources/index.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

/** How long a cluster that is not in use yet may take to say what it serves. */
const CLUSTER_LIMIT_MS = 10_000;

export interface ValidateOptions {
  readonly project: AppProject;
  /** Also ask the repository and render what it holds. */
  readonly repositories: boolean;
  readonly signal: AbortSignal;
}

/** Throws ApiError in the words that clients know where an application could not work. */
export async function validateApplication(
  context: ApplicationServiceOptions,
  application: Application,
  { project, repositories, signal }: ValidateOptions,
): Promise<void> {
  const name = application.metadata.name ?? '';
  const cluster = resolveDestination(context, application);
  const problems: SpecProblem[] = [...findSpecProblems(application)];
  if (problems.length === 0)
    problems.push(...findProjectProblems(application, project, cluster, context.surroundingsOf(project.metadata.name ?? '')));
  if (problems.length === 0 && repositories) problems.push(...(await findRepositoryProblems(context, application, { cluster, signal })));
  const address = findManagedByUrlProblem(application);
  if (address !== undefined) problems.push(address);
  if (problems.length > 0) throw new ApiError(Code.InvalidArgument, describeProblems(application, problems));
  if (name === '') throw new ApiError(Code.Unknown, 'resource name may not be empty');
}

function resolveDestination(context: ApplicationServiceOptions, { metadata, spec }: Application): Cluster {
  try {
    return context.clusters.resolve(spec.destination);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(Code.InvalidArgument, `application destination spec for ${metadata.name ?? ''} is invalid: ${why}`, {
      cause: error,
    });
  }
}

/** Renders the sources: what cannot be rendered now is better known before the application exists. */
async function findRepositoryProblems(
  context: ApplicationServiceOptions,
  application: Application,
  { cluster, signal }: { readonly cluster: Cluster; readonly signal: AbortSignal },
): Promise<readonly SpecProblem[]> {
  const { metadata, spec } = application;
  const problems: SpecProblem[] = [];
  const sources = sourcesOf(application);
  const several = hasMultipleSources(application);
  const references = new Map<string, ReferencedSource>();
  const capabilities = await learnCapabilities(cluster, signal);
  for (const source of sources.toSorted((one, other) => Number(Boolean(other.ref)) - Number(Boolean(one.ref)))) {
    // A source that only lends its files to others renders nothing of its own.
    const isLent = several && !source.path && !source.chart && !source.repoURL.startsWith('oci://');
    if (isLent && !source.ref) continue;
    try {
      const { revision } = await context.sources.resolve(source, { project: spec.project, fresh: true, signal });
      if (source.ref) references.set(`$${source.ref}`, { source, revision });
      if (isLent) continue;
      await context.sources.render({
        source,
        revision,
        application: {
          name: applicationInstanceName(application, context.namespace),
          namespace: metadata.namespace ?? context.namespace,
          project: spec.project,
        },
        destinationNamespace: spec.destination.namespace ?? '',
        manifestGeneratePaths: metadata.annotations?.['argocd.argoproj.io/manifest-generate-paths'] ?? '',
        ...capabilities,
        settings: readRenderSettings(context.settings.current),
        references,
        fresh: true,
        signal,
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The value files that a pattern is for may come later; until then the application itself says that there are none.
      if (error.code === Code.NotFound && error.message.startsWith('values file glob')) continue;
      problems.push({ type: 'InvalidSpecError', message: describeFailure(source, error) });
    }
  }
  return problems;
}

/** A cluster that does not answer in time keeps nobody from making an application: it is then rendered as for any cluster. */
async function learnCapabilities(cluster: Cluster, signal: AbortSignal): Promise<Capabilities> {
  try {
    await cluster.cache.whenSynced(AbortSignal.any([signal, AbortSignal.timeout(CLUSTER_LIMIT_MS)]));
  } catch {
    signal.throwIfAborted();
  }
  return capabilitiesOf(cluster);
}

/** A repository that does not answer is told apart from one that holds something else than expected. */
function describeFailure({ repoURL, path = '' }: ApplicationSource, error: ApiError): string {
  if (!error.message.startsWith('failed to list refs')) return `Unable to generate manifests in ${path}: ${describeCause(error)}`;
  // A URL may hold a password.
  const address = repoURL.replace(/\/\/[^/@]*@/, '//');
  const repository = `&Repository{Repo: "${address}", Type: "", Name: "", Project: ""}`;
  return `repository not accessible: repositories not accessible: ${repository}: repo client error while testing repository: ${describeCause(error)}`;
}

const CODE_NAMES = new Map(Object.entries(Code).map(([name, code]) => [code, name]));

/** A failure with its code, as clients have always seen it inside other texts. */
function describeCause({ code, message }: ApiError): string {
  return `rpc error: code = ${CODE_NAMES.get(code) ?? 'Unknown'} desc = ${message}`;
}
