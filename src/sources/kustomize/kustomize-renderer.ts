import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { refuseSubmodules } from '../app-path.ts';
import { buildEnvironment, usesEnvironment } from '../build-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { idsOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import { listDigest, resultKey } from '../result-cache.ts';
import type { RenderResult } from '../result-cache.ts';
import type { RenderRequest } from '../sources.ts';
import { findKustomizations } from './find-kustomizations.ts';
import { renderKustomize } from './render-kustomize.ts';

type Kustomize = NonNullable<ApplicationSource['kustomize']>;

const SCANS_MAX = 10_000;

export function createKustomizeRenderer(context: RenderContext) {
  /** Which folders a kustomization took in, by its own contents: as long as none of them changed, it still takes in the same. */
  const scans = new LruMap<string, readonly string[][]>(SCANS_MAX);

  async function foldersOf(place: Place, kustomize: Kustomize, signal: AbortSignal | undefined): Promise<readonly string[][]> {
    const { listing, folder } = place;
    const extra = [...(kustomize.components ?? []), ...(kustomize.patches ?? []).flatMap(({ path = '' }) => (path === '' ? [] : [path]))];
    const key = resultKey([folder, idsOf(listing, [folder]), extra]);
    const known = scans.get(key);
    if (known?.every(([path = '', id]) => (path === '' ? listing.tree : listing.entries.get(path)?.id) === id)) return known;
    const { folders } = await withFiles(context, place, signal, (root) =>
      findKustomizations(listing, folder, { root, reader: context.reader, extra }),
    );
    for (const each of folders) refuseSubmodules(listing, each);
    const ids = idsOf(listing, folders);
    scans.set(key, ids);
    return ids;
  }

  return async function render(request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    const kustomize = source.kustomize ?? {};
    const program = programFor(context, request, kustomize.version ?? '');
    const version = await context.tools.version('kustomize', program, ['version']);
    const folders = await foldersOf(place, kustomize, request.signal);
    const key = resultKey([rulesVersion, 'Kustomize', version, inputsOf(request, kustomize, place), folders]);
    const known = context.results.get(key);
    if (known !== undefined) return known;
    const helm = findProgram('helm', context.places.helm, context.places.searchPath);
    const { output, commands } = await withFiles(context, place, request.signal, (root) =>
      renderKustomize({ ...context, ...place, request, kustomize, root, program, helm }),
    );
    const { objects, json } = await context.reader.read([{ name: 'kustomize build', form: 'stream', bytes: output }]);
    return context.results.set(key, { objects, commands }, json.length);
  };
}

/** Everything but files that the result depends on. */
function inputsOf(request: RenderRequest, kustomize: Kustomize, { folder, listing }: Place): JsonValue {
  const buildOptions = request.settings?.kustomizeBuildOptions ?? '';
  const usesHelm = buildOptions.includes('--enable-helm');
  const substituted = [
    ...(kustomize.images ?? []),
    ...Object.values(kustomize.commonLabels ?? {}),
    ...Object.values(kustomize.commonAnnotations ?? {}),
  ];
  return [
    folder,
    kustomize as unknown as JsonValue,
    buildOptions,
    // Files from outside the folders of the kustomizations may be read then.
    buildOptions.includes('load-restrictor') ? listing.tree : '',
    usesHelm ? [request.kubeVersion ?? '', listDigest(request.apiVersions ?? [])] : [],
    usesEnvironment(substituted) ? [...buildEnvironment(request)].map((entry) => [...entry]) : [],
  ];
}

function programFor({ places }: RenderContext, { settings }: RenderRequest, version: string): string {
  if (version === '') return findProgram('kustomize', places.kustomize, places.searchPath);
  const program = settings?.kustomizePaths?.get(version);
  if (program === undefined)
    throw new ApiError(Code.Unknown, `error getting kustomize binary path: kustomize version ${version} is not registered`);
  return program;
}
