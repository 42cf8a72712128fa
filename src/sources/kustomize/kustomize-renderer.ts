import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { refuseSubmodules } from '../app-path.ts';
import { buildEnvironment, usesEnvironment } from '../build-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { identifyHelm } from '../process/render-tools.ts';
import { holdOf, idsOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import { listDigest, resultKey } from '../results/result-cache.ts';
import type { RenderResult } from '../results/result-cache.ts';
import type { RenderRequest } from '../sources.ts';
import { expandComponents } from './expand-components.ts';
import { findKustomizations } from './find-kustomizations.ts';
import type { ScannedFolder } from './find-kustomizations.ts';
import { createRemoteBases } from './remote-bases.ts';
import type { RemoteBases, RemoteBasesOptions } from './remote-bases.ts';
import { mayReadBeside, renderKustomize } from './render-kustomize.ts';

type Kustomize = NonNullable<ApplicationSource['kustomize']>;

const SCANS_MAX = 10_000;

export type KustomizeContext = RenderContext & RemoteBasesOptions;

/** What a kustomization depends on besides the source: names of the contents of all folders and files that take part. */
interface Scan {
  readonly ids: JsonValue;
  /** All that take part. */
  readonly all: readonly Pick<ScannedFolder, 'mount' | 'folder'>[];
  /** Set where something of it is elsewhere, or must be written anew. */
  readonly folders?: readonly ScannedFolder[];
}

interface KnownScan {
  readonly ids: readonly string[][];
  readonly folders: readonly string[];
  /** Whether Kustomize can be given the files as they are. */
  readonly isPlain: boolean;
}

export function createKustomizeRenderer(context: KustomizeContext) {
  /** Which folders a kustomization took in, by its own contents: as long as none of them changed, it still takes in the same. */
  const scans = new LruMap<string, KnownScan>(SCANS_MAX);

  async function scan(place: Place, kustomize: Kustomize, root: string, remotes: RemoteBases): Promise<Scan> {
    const { listing, folder } = place;
    const extra = [...(kustomize.components ?? []), ...(kustomize.patches ?? []).flatMap(({ path = '' }) => (path === '' ? [] : [path]))];
    const key = scanKey(place, kustomize);
    const known = scans.get(key);
    const mount = { key: '', listing, root };
    if (known?.isPlain === true && isUnchanged(place, known))
      return { ids: [...known.ids], all: known.folders.map((each) => ({ mount, folder: each })) };
    const start = { mount, folder };
    const folders = await findKustomizations(start, { reader: context.reader, remotes, extra });
    for (const each of folders) refuseSubmodules(each.mount.listing, each.folder);
    if (folders.some((each) => each.remote.size > 0)) return { ids: idsWithRemotes(folders), all: folders, folders };
    const names = folders.map((each) => each.folder);
    const ids = idsOf(listing, names);
    const isPlain = folders.every((each) => each.isPlain);
    scans.set(key, { ids, isPlain, folders: names });
    return { ids, all: folders, ...(!isPlain && { folders }) };
  }

  return async function render(request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    const given = source.kustomize ?? {};
    const kustomize = { ...given, components: expandComponents(place, given.components ?? []) };
    const program = programFor(context, request, kustomize.version ?? '');
    const { version, id } = await context.tools.identify('kustomize', program, ['version']);
    const helm = findProgram('helm', context.places.helm, context.places.searchPath);
    const usesHelm = (request.settings?.kustomizeBuildOptions ?? '').includes('--enable-helm');
    const programs = usesHelm ? [id, await identifyHelmIfThere(context, helm)] : [id];
    const remotes = createRemoteBases(context, request);
    const inputs = inputsOf(request, kustomize, place);
    const keyFor = (ids: JsonValue): string => resultKey([rulesVersion, 'Kustomize', programs, inputs, ids]);
    const hold = holdOf(request);
    const find = async (key: string): Promise<RenderResult | undefined> =>
      request.hard === true ? undefined : await context.results.get(key, hold);
    const before = scans.get(scanKey(place, kustomize));
    const remembered = before !== undefined && isUnchanged(place, before) ? await find(keyFor([...before.ids])) : undefined;
    if (remembered !== undefined) return remembered;
    try {
      return await withFiles(context, place, request.signal, async (root) => {
        const { ids, all, folders } = await scan(place, kustomize, root, remotes);
        const key = keyFor(ids);
        const known = await find(key);
        if (known !== undefined) return known;
        const work = {
          ...context,
          ...place,
          request,
          kustomize,
          root,
          program,
          version,
          helm,
          chartFolders: usesHelm ? all : [],
          ...(folders && { scanned: folders }),
        };
        const { output, commands } = await renderKustomize(work);
        const { objects, json } = await context.reader.read([{ name: 'kustomize build', form: 'stream', bytes: output }]);
        return await context.results.set(key, { objects, commands, json, hold });
      });
    } finally {
      remotes.release();
    }
  };
}

/** Most kustomizations have no charts, and need no Helm then. */
async function identifyHelmIfThere({ tools }: RenderContext, helm: string): Promise<string> {
  try {
    return (await identifyHelm(tools, helm)).id;
  } catch (error) {
    if (error instanceof ApiError && error.code === Code.FailedPrecondition) return '';
    throw error;
  }
}

function scanKey({ listing, folder }: Place, { components = [], patches = [] }: Kustomize): string {
  return resultKey([folder, idsOf(listing, [folder]), [...components], patches.map(({ path = '' }) => path)]);
}

function isUnchanged({ listing }: Place, { ids }: KnownScan): boolean {
  return ids.every(([path = '', id]) => (path === '' ? listing.tree : listing.entries.get(path)?.id) === id);
}

function idsWithRemotes(folders: readonly ScannedFolder[]): JsonValue {
  return folders.map(({ mount, folder, remote }) => [
    mount.key,
    idsOf(mount.listing, [folder]),
    [...remote].map(([entry, found]) => [entry, 'file' in found ? found.file.id : found.mount.key]),
  ]);
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
    mayReadBeside(request) ? listing.tree : '',
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
