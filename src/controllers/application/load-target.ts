import { ApiError, Code } from '../../base/index.ts';
import { capabilitiesOf, type Cluster } from '../../clusters/index.ts';
import { applicationInstanceName, type Application, type ApplicationSource } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { findIntegrity, readRenderSettings, type ReferencedSource, type Rendered } from '../../sources/index.ts';
import { findProject } from './check-spec.ts';
import type { ControllerContext } from './controller-context.ts';

export interface TargetRequest {
  readonly sources: readonly ApplicationSource[];
  /** One for each source; what is empty is resolved. */
  readonly revisions: readonly string[];
  /** Asks the repository even if it was asked a moment ago. */
  readonly fresh: boolean;
  /** With `fresh`: an answer that was asked for after this will do; one from now on unless given. */
  readonly sinceMs?: number;
  /** Fetches charts anew, too. */
  readonly hard?: boolean;
  readonly cluster: Cluster;
  /** Packed files to render instead of what the first source holds. */
  readonly upload?: Buffer;
  /** Whether it is what the application is compared with from now on, and not only looked at by somebody. */
  readonly isLook?: boolean;
  readonly signal: AbortSignal;
}

/** What the sources of an application say should be. */
export interface Target {
  /** In the order of the sources, as rendered. */
  readonly objects: readonly KubeObject[];
  /** One for each source, resolved. */
  readonly revisions: readonly string[];
  /** The same, or those since which nothing changed of what the application says that it is made from. */
  readonly generations: readonly string[];
  readonly sourceTypes: readonly string[];
  readonly commands: readonly string[];
}

/** Renders the sources of an application. Throws ApiError in the words of a condition, without its prefix. */
export async function loadTarget(context: ControllerContext, application: Application, request: TargetRequest): Promise<Target> {
  const { sources } = request;
  const rendered: Rendered[] = [];
  const references = new Map<string, ReferencedSource>();
  // What others take files from comes first, so that they find it; the results stay in the order of the sources.
  const order = [...sources.keys()].sort(
    (one, other) => Number(isReference(sources[other])) - Number(isReference(sources[one])) || one - other,
  );
  for (const index of order) {
    const source = sources[index];
    if (source === undefined) continue;
    try {
      const result = await renderSource(context, application, { source, references, revision: request.revisions[index] ?? '' }, request);
      rendered[index] = result;
      if (isReference(source)) references.set(`$${source.ref}`, { source, revision: result.revision });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `failed to generate manifest for source ${index + 1} of ${sources.length}: ${describeCall(error)}`;
      throw new ApiError(error.code, message, { cause: error });
    }
  }
  // Not before all of it could be rendered: otherwise the application stays at the commit that it has.
  if (request.isLook === true) for (const { beginGeneration } of rendered) beginGeneration?.();
  return {
    objects: rendered.flatMap(({ objects }) => objects),
    revisions: rendered.map(({ revision }) => revision),
    generations: rendered.map(({ revision, generation = revision }) => generation),
    sourceTypes: rendered.map(({ sourceType }) => sourceType),
    commands: rendered.flatMap(({ commands }) => commands),
  };
}

function isReference(source: ApplicationSource | undefined): boolean {
  return (source?.ref ?? '') !== '';
}

interface SourceToRender {
  readonly source: ApplicationSource;
  /** Empty where it is to be resolved. */
  readonly revision: string;
  /** The sources that this one may take files from. */
  readonly references: ReadonlyMap<string, ReferencedSource>;
}

async function renderSource(
  context: ControllerContext,
  application: Application,
  { source, revision, references }: SourceToRender,
  { cluster, upload, fresh, sinceMs, hard = false, signal }: TargetRequest,
): Promise<Rendered> {
  const { sources, namespace: control, settings } = context;
  const { metadata, spec } = application;
  const project = spec.project || 'default';
  const resolved =
    revision === ''
      ? (await sources.resolve(source, { project, fresh, ...(sinceMs !== undefined && { sinceMs }), signal })).revision
      : revision;
  const integrity = findIntegrity(findProject(context, project)?.spec ?? {}, source.repoURL, settings.current.gpgKeys);
  return sources.render({
    source,
    ...(upload && { upload }),
    revision: resolved,
    application: { name: applicationInstanceName(application, control), namespace: metadata.namespace ?? control, project },
    destinationNamespace: spec.destination.namespace ?? '',
    manifestGeneratePaths: generatePathsOf(application),
    ...capabilitiesOf(cluster),
    settings: readRenderSettings(settings.current),
    references,
    integrity,
    fresh,
    hard,
    signal,
  });
}

/** What an application says that it is made from; empty where it says nothing. */
export function generatePathsOf({ metadata }: Application): string {
  return metadata.annotations?.['argocd.argoproj.io/manifest-generate-paths'] ?? '';
}

const CODE_NAMES = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

/** A failure with its code, as it has always been shown inside other texts. */
export function describeCall({ code, message }: ApiError): string {
  return `rpc error: code = ${CODE_NAMES.get(code) ?? 'Unknown'} desc = ${message}`;
}
