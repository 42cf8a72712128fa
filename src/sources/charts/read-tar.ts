/** An archive that cannot be read, or that must not be. */
export class ArchiveError extends Error {}

export interface ArchiveFile {
  /** From the root of the archive. */
  readonly path: string;
  readonly content: Buffer;
}

export interface ArchiveLimits {
  readonly filesMax: number;
  readonly bytesMax: number;
}

const BLOCK = 512;
const PATH_MAX = 4096;
const DEPTH_MAX = 100;

/** The files of a tar archive. Nothing but files and folders may be in it, and no path may leave it or come twice. */
export function readTar(archive: Buffer, limits: ArchiveLimits): ArchiveFile[] {
  const files = new Map<string, Buffer>();
  const folded = new Set<string>();
  let longName: string | undefined;
  let total = 0;
  for (let at = 0, entries = 0; at + BLOCK <= archive.length; entries += 1) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    if (entries > limits.filesMax * 2) throw new ArchiveError('the archive has too many entries');
    const size = readSize(header);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length !== size) throw new ArchiveError('the archive ends in the middle of a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L' || type === 'x') {
      if (size > PATH_MAX * 4) throw new ArchiveError('a header of the archive is too long');
      longName = type === 'L' ? text(content) : (readPaxPath(content) ?? longName);
      continue;
    }
    if (type === 'g') continue;
    const path = longName ?? headerName(header);
    longName = undefined;
    const clean = checkPath(path);
    if (type === '5' || clean === '') continue;
    if (type !== '0' && type !== '\0' && type !== '7')
      throw new ArchiveError(`illegal filepath in archive: ${path} is neither a file nor a folder`);
    total += size;
    if (files.size >= limits.filesMax || total > limits.bytesMax) throw new ArchiveError('the archive is larger than allowed');
    const key = clean.normalize('NFC').toLowerCase();
    if (folded.has(key)) throw new ArchiveError(`illegal filepath in archive: ${path} is there twice`);
    folded.add(key);
    files.set(clean, content);
  }
  return [...files].map(([path, content]) => ({ path, content }));
}

function checkPath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  const isBad = path.startsWith('/') || path.includes('\\') || path.includes('\0') || steps.includes('..') || /^[A-Za-z]:/.test(path);
  if (isBad || path.length > PATH_MAX || steps.length > DEPTH_MAX)
    throw new ArchiveError(`illegal filepath in archive: ${path.slice(0, 200)}`);
  return steps.join('/');
}

function readSize(header: Buffer): number {
  const field = header.toString('latin1', 124, 136).replace(/\0.*$/s, '').trim();
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
function readPaxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0) throw new ArchiveError('a header of the archive cannot be read');
    const record = content.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}
