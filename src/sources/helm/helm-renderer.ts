import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { refuseSubmodules } from '../app-path.ts';
import { buildEnvironment, usesEnvironment } from '../build-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { identifyHelm } from '../process/render-tools.ts';
import { holdOf, idsOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place } from '../render-context.ts';
import { listDigest, resultKey } from '../results/result-cache.ts';
import type { RenderResult } from '../results/result-cache.ts';
import type { RenderRequest } from '../sources.ts';
import { childrenOf } from '../trees/tree-children.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import { dependencyPath } from './dependencies/build-dependencies.ts';
import { readDependencies } from './dependencies/read-dependencies.ts';
import { expandPath } from './expand-path.ts';
import { findOne, findValueFiles } from './find-value-files.ts';
import type { FileBase, ReferencedPlaces, ValueFile } from './find-value-files.ts';
import type { Helm } from './plan-template.ts';
import type { RemoteValues } from './remote-values.ts';
import { runTemplate } from './run-template.ts';
import type { ChartFiles, TemplateContext } from './run-template.ts';

export interface HelmContext extends TemplateContext {
  readonly remoteValues: RemoteValues;
}

const DEFAULT_SCHEMES = ['https', 'http'];
const SCANS_MAX = 10_000;

/** What is known of a chart by its contents. */
interface Scan {
  /** Charts beside it that it depends on. */
  readonly folders: readonly string[];
  /** Whether charts are fetched for it, which the revision does not name by their contents. */
  takesFromElsewhere: boolean;
  /** Whether it names such charts at all, be they in its folder already. */
  readonly namesElsewhere: boolean;
  needsDependencies: boolean;
}

export function createHelmRenderer(context: HelmContext) {
  const scans = new LruMap<string, Scan>(SCANS_MAX);

  async function scan(place: Place, signal: AbortSignal | undefined): Promise<Scan> {
    const key = resultKey([place.folder, idsOf(place.listing, [place.folder])]);
    let known = scans.get(key);
    if (known === undefined) {
      known = { ...(await findNeighbours(context, place, signal)), needsDependencies: false };
      scans.set(key, known);
    }
    return known;
  }

  return async function render(
    request: RenderRequest,
    source: ApplicationSource,
    place: Place,
    referenced: ReferencedPlaces,
  ): Promise<RenderResult> {
    const helm = source.helm ?? {};
    refuseSubmodules(place.listing, place.folder);
    const program = findProgram('helm', context.places.helm, context.places.searchPath);
    const { id } = await identifyHelm(context.tools, program);
    const files = await findFiles(context, { request, helm, place, referenced });
    const chart = await scan(place, request.signal);
    const inputs = inputsOf(request, helm, { place, files, neighbours: chart.folders });
    // What one project may fetch is not for another, even where its chart reads the same.
    const nameResult = (): string =>
      resultKey([rulesVersion, 'Helm', id, inputs, chart.takesFromElsewhere ? [request.application.project] : []]);
    const known = request.hard === true ? undefined : await context.results.get(nameResult(), holdOf(request, chart));
    if (known !== undefined) return known;
    const run = { request, helm, place, referenced, files, program, withDependencies: chart.needsDependencies };
    const { output, command, hadDependencies } = await runTemplate(context, run);
    chart.needsDependencies = hadDependencies;
    chart.takesFromElsewhere ||= hadDependencies && chart.namesElsewhere;
    const { objects, json } = await context.reader.read([{ name: 'helm template', form: 'stream', bytes: output }]);
    return await context.results.set(nameResult(), { objects, commands: [command], json, hold: holdOf(request, chart) });
  };
}

/** The charts of the same repository that a chart takes in, and those that these take in. */
async function findNeighbours(
  context: HelmContext,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Omit<Scan, 'needsDependencies'>> {
  const { listing } = place;
  return await withFiles(context, place, signal, async (root) => {
    const found = new Set<string>([place.folder]);
    let takesFromElsewhere = false;
    let namesElsewhere = false;
    for (const folder of found) {
      // What is wrong with a file is said when it is used.
      const dependencies = await readDependencies({ listing, folder }, { root, reader: context.reader }).catch(() => undefined);
      takesFromElsewhere ||= dependencies === undefined;
      for (const { name, repository } of dependencies ?? []) {
        if (repository === '') continue;
        if (!repository.startsWith('file://')) {
          namesElsewhere = true;
          takesFromElsewhere ||= !isBrought({ listing, folder }, name);
          continue;
        }
        const resolved = resolveInTree(listing, dependencyPath({ listing, folder }, repository));
        if (resolved.found && resolved.entry.kind === 'folder') found.add(resolved.path);
      }
    }
    return { folders: [...found].slice(1), takesFromElsewhere, namesElsewhere };
  });
}

/** Whether a chart has what it depends on in its own folder. */
function isBrought({ listing, folder }: Place, name: string): boolean {
  const children = childrenOf(listing, folder === '' ? 'charts' : `${folder}/charts`);
  return children.some((child) => child === name || (child.startsWith(`${name}-`) && child.endsWith('.tgz')));
}

interface FileSearch {
  readonly request: RenderRequest;
  readonly helm: Helm;
  readonly place: Place;
  readonly referenced: ReferencedPlaces;
}

/** All files that are named; those of the network are fetched, the others are not read yet. */
async function findFiles({ remoteValues }: HelmContext, { request, helm, place, referenced }: FileSearch): Promise<ChartFiles> {
  const environment = buildEnvironment(request);
  const own: FileBase = { reference: '', listing: place.listing, folder: place.folder };
  const references = new Map([...referenced].map(([reference, { listing }]) => [reference, { reference, listing, folder: '' }] as const));
  const schemes = request.settings?.helmValuesFileSchemes ?? DEFAULT_SCHEMES;
  const options = {
    own,
    references,
    names: [...(request.references?.keys() ?? [])],
    schemes,
    ignoreMissing: helm.ignoreMissingValueFiles === true,
  };
  const expand = (path: string): string => expandPath(path, environment, references.keys());
  try {
    const values = findValueFiles((helm.valueFiles ?? []).map(expand), options);
    const parameters = (helm.fileParameters ?? []).map(({ name = '', path = '' }) => [name, findOne(expand(path), options)] as const);
    const remote: [string, Awaited<ReturnType<RemoteValues['read']>>][] = [];
    for (const { url } of [...values, ...parameters.map(([, file]) => file)])
      if (url !== undefined) remote.push([url, await remoteValues.read(url, request)]);
    return { values, parameters, remote: new Map(remote) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
    throw new ApiError(error.code, `error resolving helm value files: error resolving value file path: ${error.message}`);
  }
}

/** Everything that the result depends on. */
function inputsOf(
  request: RenderRequest,
  helm: Helm,
  { place, files, neighbours }: { readonly place: Place; readonly files: ChartFiles; readonly neighbours: readonly string[] },
): JsonValue {
  const { listing, folder } = place;
  const file = ({ base, place: path, id, url }: ValueFile): string[] =>
    url === undefined ? [base.reference, path, id ?? ''] : [url, files.remote.get(url)?.id ?? ''];
  const substituted = (helm.parameters ?? []).map(({ value = '' }) => value);
  return [
    folder,
    idsOf(listing, [folder, ...neighbours]),
    helm as unknown as JsonValue,
    files.values.map(file),
    files.parameters.map(([name, each]) => [name, ...file(each)]),
    [request.application.name, request.destinationNamespace, request.kubeVersion ?? '', listDigest(request.apiVersions ?? [])],
    usesEnvironment(substituted) ? [...buildEnvironment(request)].map((entry) => [...entry]) : [],
  ];
}
