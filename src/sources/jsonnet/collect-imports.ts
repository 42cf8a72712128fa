import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { JsonnetImport } from '../../template/index.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { readTreeFiles } from '../trees/read-tree-file.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import type { ImportTarget } from './jsonnet-context.ts';
import { resolveImport } from './resolve-import.ts';
import type { FoundFile } from './resolve-import.ts';

const FILES_MAX = 5000;
const BYTES_MAX = 64 << 20;
const KNOWN_MAX = 10_000;

export interface CollectRequest {
  readonly listing: TreeListing;
  /** Where imports are looked for, besides the folder of the importing file. */
  readonly folders: readonly string[];
  readonly programs: readonly FoundFile[];
  /** Programs that stand in the source itself: the values of variables. */
  readonly codes: readonly string[];
  /** Reads files of the revision. */
  readonly withRoot: <Result>(use: (root: string) => Promise<Result>) => Promise<Result>;
}

export interface CollectedImports {
  /** All files that may be read, by name. */
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, ImportTarget>>;
}

/**
 * Follows imports to their end, without running anything. What a file imports is remembered by the id of its contents, so that a
 * commit costs only what it changes.
 */
export function createImportCollector(reader: Pick<ManifestReader, 'findImports'>) {
  const known = new LruMap<string, readonly JsonnetImport[]>(KNOWN_MAX);

  async function importsOf(files: readonly FoundFile[], { listing, withRoot }: CollectRequest): Promise<readonly JsonnetImport[][]> {
    const idOf = ({ place }: FoundFile): string => listing.entries.get(place)?.id ?? place;
    const unknown = files.filter((file) => known.get(idOf(file)) === undefined);
    if (unknown.length > 0) {
      const texts = await withRoot((root) =>
        readTreeFiles(
          root,
          unknown.map(({ place }) => place),
        ),
      );
      const found = await reader.findImports(texts);
      for (const [at, file] of unknown.entries()) known.set(idOf(file), found[at] ?? []);
    }
    return files.map((file) => [...(known.get(idOf(file)) ?? [])]);
  }

  return async (request: CollectRequest): Promise<CollectedImports> => {
    const { listing, folders, programs, codes } = request;
    const files = new Map(programs.map((file) => [file.name, file]));
    const imports = new Map<string, Map<string, ImportTarget>>();
    let bytes = 0;

    /** The files that `from` imports and that nobody followed yet. */
    function follow(from: string, wanted: readonly JsonnetImport[]): FoundFile[] {
      const targets = imports.get(from) ?? new Map<string, ImportTarget>();
      imports.set(from, targets);
      const fresh: FoundFile[] = [];
      for (const { path, isCode } of wanted) {
        const found = resolveImport(listing, folders, from, path);
        targets.set(path, 'refusal' in found ? found : { name: found.name });
        if ('refusal' in found) continue;
        if (!files.has(found.name)) bytes += listing.entries.get(found.place)?.sizeBytes ?? 0;
        files.set(found.name, found);
        if (isCode && !imports.has(found.name)) {
          imports.set(found.name, new Map());
          fresh.push(found);
        }
      }
      if (files.size > FILES_MAX) throw new ApiError(Code.ResourceExhausted, `Jsonnet imports more than ${FILES_MAX} files`);
      if (bytes > BYTES_MAX) throw new ApiError(Code.ResourceExhausted, `Jsonnet imports more than ${BYTES_MAX} bytes`);
      return fresh;
    }

    for (const program of programs) imports.set(program.name, new Map());
    let level = [...programs];
    if (codes.length > 0) {
      const found = await reader.findImports(codes.map((code) => Buffer.from(code)));
      level.push(...follow('', found.flat()));
    }
    while (level.length > 0) {
      const wanted = await importsOf(level, request);
      level = level.flatMap((file, at) => follow(file.name, wanted[at] ?? []));
    }
    return { files, imports };
  };
}
