import { ApiError, Code } from '../../base/index.ts';
import { compileDoubleStar } from '../../model/index.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';

/** A revision that files are taken from, and the folder in it that relative paths start from. */
export interface FileBase {
  /** The name by which others refer to it, `$values`; empty for the source itself. */
  readonly reference: string;
  readonly listing: TreeListing;
  readonly folder: string;
}

export interface ValueFile {
  readonly base: FileBase;
  /** From the root of the revision; as asked for where it is missing. */
  readonly place: string;
  /** The git object id; undefined where the file is missing, which Helm complains about itself. */
  readonly id: string | undefined;
  /** Set where it is fetched from an address. */
  readonly url?: string;
}

/** Sources that others take files from, by `$name`. */
export type ReferencedPlaces = ReadonlyMap<string, { readonly listing: TreeListing }>;

export interface ValueFileOptions {
  readonly own: FileBase;
  /** By `$name`. */
  readonly references: ReadonlyMap<string, FileBase>;
  /** Of all sources that have one, also those that nobody takes files from; those above unless given. */
  readonly names?: Iterable<string>;
  readonly schemes: readonly string[];
  readonly ignoreMissing: boolean;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** The files that `valueFiles` name, in the order in which Helm gets them. */
export function findValueFiles(paths: readonly string[], options: ValueFileOptions): ValueFile[] {
  const isPattern = (path: string): boolean => /[*?[]/.test(path) && !SCHEME.test(path);
  const explicit = new Set(paths.filter((path) => !isPattern(path)).map((path) => keyOf(findOne(path, options))));
  const found = new Map<string, ValueFile>();
  for (const path of paths) {
    const files = isPattern(path) ? expand(path, options).filter((file) => !explicit.has(keyOf(file))) : [findOne(path, options)];
    for (const file of files) {
      if (file.id === undefined && file.url === undefined && options.ignoreMissing) continue;
      if (!found.has(keyOf(file))) found.set(keyOf(file), file);
    }
  }
  return [...found.values()];
}

/** One file, as `fileParameters` name them. */
export function findOne(path: string, options: StartOptions & Pick<ValueFileOptions, 'schemes'>): ValueFile {
  if (isAddress(path, options.schemes)) return { base: options.own, place: '', id: undefined, url: path };
  const { base, from } = startOf(path, options);
  const resolved = path.includes('\0') ? ({ found: false, reason: 'outside' } as const) : resolveInTree(base.listing, from);
  if (!resolved.found && resolved.reason === 'outside') throw outside(path);
  if (!resolved.found) return { base, place: normalise(from), id: undefined };
  return { base, place: resolved.path, id: resolved.entry.kind === 'file' ? resolved.entry.id : undefined };
}

function expand(path: string, options: ValueFileOptions): ValueFile[] {
  const { base, from } = startOf(path, options);
  const matches = compileDoubleStar(normalise(from, path));
  const files: ValueFile[] = [];
  for (const [place, { kind }] of base.listing.entries) {
    if ((kind !== 'file' && kind !== 'symlink') || matches?.(place) !== true) continue;
    const resolved = resolveInTree(base.listing, place);
    if (!resolved.found && resolved.reason === 'outside') throw outside(path);
    if (resolved.found && resolved.entry.kind === 'file') files.push({ base, place: resolved.path, id: resolved.entry.id });
  }
  if (files.length === 0 && !options.ignoreMissing)
    throw new ApiError(Code.NotFound, `values file glob ${JSON.stringify(path)} matched no files`);
  return files.sort((one, other) => (one.place < other.place ? -1 : 1));
}

type StartOptions = Pick<ValueFileOptions, 'own' | 'references' | 'names'>;

/** A leading slash is the root of the revision, and `$name` that of another source. */
function startOf(path: string, { own, references, names = references.keys() }: StartOptions): { base: FileBase; from: string } {
  if (!path.startsWith('$')) return { base: own, from: path.startsWith('/') ? path.slice(1) : `${own.folder}/${path}` };
  const name = path.split('/')[0] ?? '';
  const base = references.get(name);
  if (base !== undefined) return { base, from: path.slice(name.length + 1) };
  const known = [...names].sort().join(', ');
  throw new ApiError(
    Code.Unknown,
    known === ''
      ? `source referenced "${name}", but no source has a 'ref' field defined`
      : `source referenced "${name}", which is not one of the available sources (${known})`,
  );
}

/** Whether it is fetched; throws where it must not be. */
function isAddress(path: string, schemes: readonly string[]): boolean {
  const scheme = SCHEME.exec(path)?.[1];
  if (scheme === undefined) return false;
  const isFetched = scheme.toLowerCase() === 'http' || scheme.toLowerCase() === 'https';
  if (!schemes.includes(scheme.toLowerCase()) || !isFetched || !URL.canParse(path))
    throw new ApiError(Code.Unknown, `the URL scheme '${scheme}' is not allowed`);
  return true;
}

/** Without dots; throws where it leaves the root, if it is known how the path was written. */
function normalise(path: string, written?: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined && written !== undefined) throw outside(written);
  }
  return steps.join('/');
}

function keyOf({ base, place, url }: ValueFile): string {
  return url ?? `${base.reference}\0${place}`;
}

function outside(path: string): ApiError {
  return new ApiError(Code.Unknown, `file '${path.replaceAll('\0', '').slice(0, 500)}' resolved to outside repository root`);
}
