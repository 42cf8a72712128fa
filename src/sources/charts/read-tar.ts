/** An archive that cannot be read, or that must not be. */
export class ArchiveError extends Error {}

export interface ArchiveFile {
  /** From the root of the archive. */
  readonly path: string;
  readonly content: Buffer;
}

export interface Archive {
  readonly files: readonly ArchiveFile[];
  /** Where symbolic links point, by path; nothing lies below one, and none leaves the archive. */
  readonly links: ReadonlyMap<string, string>;
}

export interface ArchiveLimits {
  readonly filesMax: number;
  readonly bytesMax: number;
  /** Whether symbolic links may be in it. */
  readonly links: boolean;
}

const BLOCK = 512;
const PATH_MAX = 4096;
const DEPTH_MAX = 100;
/** Types of entries that have no contents: links, devices and pipes. */
const HEADER_ONLY: readonly string[] = ['1', '2', '3', '4', '6'];

/** What stands before an entry because it does not fit into its header. */
interface LongNames {
  readonly path?: string;
  readonly target?: string;
}

/** The files of a tar archive. Nothing but files, folders and allowed links may be in it, and no path may leave it or come twice. */
export function readTar(archive: Buffer, limits: ArchiveLimits): Archive {
  const files = new Map<string, Buffer>();
  const links = new Map<string, string>();
  const folded = new Set<string>();
  let long: LongNames = {};
  let extended: LongNames = {};
  let total = 0;
  for (let at = 0, entries = 0; at + BLOCK <= archive.length; entries += 1) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    if (entries > limits.filesMax * 2) throw new ArchiveError('the archive has too many entries');
    const type = String.fromCharCode(header[156] ?? 0);
    // As the tools read them that may be given the same archive: an old long name counts more, and one that is empty is none.
    const path = long.path || extended.path || headerName(header);
    const target = long.target || extended.target || text(header.subarray(157, 257));
    const isFolder = type === '5' || (type === '\0' && path.endsWith('/'));
    const written = readSize(header);
    // What stands behind these is the next header, whatever their size says.
    const size = isFolder || HEADER_ONLY.includes(type) ? 0 : written;
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length !== size) throw new ArchiveError('the archive ends in the middle of a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'L' || type === 'K' || type === 'x') {
      if (size > PATH_MAX * 4) throw new ArchiveError('a header of the archive is too long');
      if (type === 'x') extended = readPax(content);
      else long = { ...long, [type === 'L' ? 'path' : 'target']: text(content) };
      continue;
    }
    long = {};
    extended = {};
    if (type === 'g') continue;
    const clean = checkPath(path);
    if (isFolder || clean === '') continue;
    const isLink = type === '2' && limits.links;
    if (type !== '0' && type !== '\0' && type !== '7' && !isLink)
      throw new ArchiveError(`illegal filepath in archive: ${path} is neither a file nor a folder`);
    total += size;
    if (files.size + links.size >= limits.filesMax || total > limits.bytesMax) throw new ArchiveError('the archive is larger than allowed');
    const key = clean.normalize('NFC').toLowerCase();
    if (folded.has(key)) throw new ArchiveError(`illegal filepath in archive: ${path} is there twice`);
    folded.add(key);
    if (isLink) links.set(clean, checkTarget(clean, target));
    else files.set(clean, content);
  }
  refuseBelowLinks([...files.keys(), ...links.keys()], links);
  return { files: [...files].map(([path, content]) => ({ path, content })), links };
}

function checkPath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  const isBad = path.startsWith('/') || path.includes('\\') || path.includes('\0') || steps.includes('..') || /^[A-Za-z]:/.test(path);
  if (isBad || path.length > PATH_MAX || steps.length > DEPTH_MAX)
    throw new ArchiveError(`illegal filepath in archive: ${path.slice(0, 200)}`);
  return steps.join('/');
}

/** A link may lead anywhere in the archive, on a way that stays in it. */
function checkTarget(path: string, target: string): string {
  let depth = path.split('/').length - 1;
  const isBad = target === '' || target.startsWith('/') || target.includes('\\') || target.length > PATH_MAX;
  if (!isBad)
    for (const step of target.split('/')) {
      if (step === '' || step === '.') continue;
      depth += step === '..' ? -1 : 1;
      if (depth < 0) break;
    }
  if (isBad || depth < 0) throw new ArchiveError(`illegal filepath in symlink: ${path.slice(0, 200)}`);
  return target;
}

/** What lies below a link would be written where the link leads. Systems that fold letters take more names for the same. */
function refuseBelowLinks(paths: readonly string[], links: ReadonlyMap<string, string>): void {
  if (links.size === 0) return;
  const fold = (path: string): string => path.normalize('NFC').toLowerCase();
  const folded = new Set([...links.keys()].map(fold));
  for (const path of paths)
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (folded.has(fold(path.slice(0, slash)))) throw new ArchiveError(`illegal filepath in archive: ${path} is below a symbolic link`);
}

function readSize(header: Buffer): number {
  // What fills the field may stand before the number, too: whoever takes it for the end of none reads other files than Helm.
  const field = header
    .toString('latin1', 124, 136)
    .replace(/^[ \0]+/, '')
    .replace(/\0.*$/s, '')
    .trim();
  const size = /^[0-7]*$/.test(field) ? Number.parseInt(field || '0', 8) : Number.NaN;
  if (!Number.isSafeInteger(size) || size < 0) throw new ArchiveError('the size of a file in the archive cannot be read');
  return size;
}

function headerName(header: Buffer): string {
  const name = text(header.subarray(0, 100));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? text(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Records of the form `<length> <key>=<value>` and a line break. */
function readPax(content: Buffer): { path?: string; target?: string } {
  const found: { path?: string; target?: string } = {};
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0) throw new ArchiveError('a header of the archive cannot be read');
    const record = content.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) found.path = record.slice('path='.length);
    // Whoever heeds these reads other files in the archive than whoever does not.
    if (/^(?:size|GNU\.sparse\.[^=]*)=/.test(record)) throw new ArchiveError('a header of the archive changes how files are read');
    if (record.startsWith('linkpath=')) found.target = record.slice('linkpath='.length);
    at += length;
  }
  return found;
}
