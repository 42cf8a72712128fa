import type { ApplicationSource } from '../../contract/index.ts';
import { refuseSubmodules } from '../app-path.ts';
import { buildEnvironment, substitute } from '../build-environment.ts';
import { createImportCollector } from '../jsonnet/collect-imports.ts';
import type { CollectedImports } from '../jsonnet/collect-imports.ts';
import type { JsonnetContext } from '../jsonnet/jsonnet-context.ts';
import { searchFolders } from '../jsonnet/resolve-import.ts';
import { holdOf, rulesVersion, withFiles } from '../render-context.ts';
import type { Place, RenderContext } from '../render-context.ts';
import { resultKey } from '../results/result-cache.ts';
import type { RenderResult } from '../results/result-cache.ts';
import { sizeOf } from '../size-of.ts';
import type { RenderRequest } from '../sources.ts';
import { readTreeFiles } from '../trees/read-tree-file.ts';
import type { ManifestFile } from './find-manifest-files.ts';
import { nameOf, planDirectory, readDirectory } from './render-directory.ts';

type JsonnetArguments = Pick<JsonnetContext, 'externalVariables' | 'topLevelArguments'>;
type Variables = NonNullable<NonNullable<NonNullable<ApplicationSource['directory']>['jsonnet']>['extVars']>;

export function createDirectoryRenderer(context: Pick<RenderContext, 'trees' | 'reader' | 'results' | 'limits'>) {
  const { reader, results, limits } = context;
  const collectImports = createImportCollector(reader);

  /** Everything that the programs of the folder may read. */
  async function collect(
    request: RenderRequest,
    source: ApplicationSource,
    { place, programs, given }: { readonly place: Place; readonly programs: readonly ManifestFile[]; readonly given: JsonnetArguments },
  ): Promise<CollectedImports> {
    const { listing, folder } = place;
    const folders = searchFolders(listing, folder, source.directory?.jsonnet?.libs ?? []);
    const variables = [...given.externalVariables, ...given.topLevelArguments];
    return await collectImports({
      listing,
      folders,
      programs: programs.map((file) => ({ name: nameOf(folder, file), place: file.place })),
      codes: variables.filter(({ isCode }) => isCode).map(({ value }) => value),
      withRoot: (use) => withFiles(context, place, request.signal, use),
    });
  }

  return async (request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> => {
    const { listing, folder } = place;
    const directory = source.directory ?? {};
    if (directory.recurse === true) refuseSubmodules(listing, folder);
    const { jsonnetEnabled = true, directorySizeMax = '' } = request.settings ?? {};
    const bytesMax = sizeOf(directorySizeMax) ?? limits.directoryBytesMax;
    const files = planDirectory({ listing, folder, directory, jsonnetEnabled, bytesMax });
    const idOf = (path: string): string => listing.entries.get(path)?.id ?? '';
    const inputs = files.map((file) => [file.path, idOf(file.place)]);
    const programs = files.filter(({ form }) => form === 'jsonnet');
    const given = jsonnetArguments(request, source);
    const collected = programs.length === 0 ? undefined : await collect(request, source, { place, programs, given });
    // Where every import leads is part of the key: a file that now stands before another changes the result.
    const key = resultKey([
      rulesVersion,
      'Directory',
      inputs,
      ...(collected === undefined
        ? []
        : [
            [...collected.files.values()].map((file) => [file.name, idOf(file.place)]),
            [...collected.imports].map(([from, targets]) => [from, [...targets].map(([path, target]) => [path, { ...target }])]),
            JSON.stringify([folder, given]),
          ]),
    ]);
    const hold = holdOf(request);
    const known = request.hard === true ? undefined : await results.get(key, hold);
    if (known !== undefined) return known;
    const read = await withFiles(context, place, request.signal, async (root) => {
      const found = [...(collected?.files.values() ?? [])];
      const [texts, imported] = await Promise.all([
        readDirectory(root, files, folder),
        readTreeFiles(
          root,
          found.map(({ place: at }) => at),
        ),
      ]);
      const contents = new Map(found.map((file, at) => [file.name, imported[at] ?? new Uint8Array()]));
      return { texts, jsonnet: collected && { files: contents, imports: collected.imports, ...given } };
    });
    const { objects, json } = await reader.read(read.texts, read.jsonnet);
    return await results.set(key, { objects, commands: [], json, hold });
  };
}

/** Of several variables with one name the last one counts. */
function jsonnetArguments(request: RenderRequest, { directory }: ApplicationSource): JsonnetArguments {
  const environment = buildEnvironment(request);
  const read = (variables: Variables = []) =>
    variables.map(({ name, value, code = false }) => ({ name, value: substitute(value, environment), isCode: code }));
  return { externalVariables: read(directory?.jsonnet?.extVars), topLevelArguments: read(directory?.jsonnet?.tlas) };
}
