import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError, Code } from '../../base/index.ts';
import { ArchiveError, readTar } from './read-tar.ts';
import type { Archive } from './read-tar.ts';

/** A packed chart, whose files are all in one folder that is left out, or an artifact, which is as it is, as are files that were sent. */
export type ArchiveForm = 'chart' | 'artifact' | 'upload';

const REFUSALS: Readonly<Record<ArchiveForm, string>> = {
  chart: 'error fetching chart: the archive cannot be used',
  artifact: 'failed to extract oci image: the layer cannot be used',
  upload: 'the files that were sent cannot be used',
};

/** Files of an archive say what they are by how their name ends. */
export function formOf(place: string): ArchiveForm {
  if (place.endsWith('.chart')) return 'chart';
  return place.endsWith('.upload') ? 'upload' : 'artifact';
}

/** What is in an archive, within limits; throws ApiErrors that say what cannot be used. */
export async function readArchive(
  place: string,
  packed: Buffer,
  { treeFilesMax, bytesMax }: { readonly treeFilesMax: number; readonly bytesMax: number },
): Promise<Archive> {
  const form = formOf(place);
  const isChart = form === 'chart';
  const limits = { filesMax: Math.min(treeFilesMax, 100_000), bytesMax, links: !isChart };
  try {
    const archive = readTar(await unzip(packed, limits.bytesMax), limits);
    return isChart ? { ...archive, files: withoutTopFolder(archive) } : archive;
  } catch (error) {
    const reason = error instanceof ArchiveError ? error.message : 'it is no gzip archive, or larger than allowed';
    throw new ApiError(Code.Unknown, `${REFUSALS[form]}: ${reason}`);
  }
}

async function unzip(packed: Buffer, bytesMax: number): Promise<Buffer> {
  const isPlainTar = packed.length >= 512 && packed.toString('latin1', 257, 262) === 'ustar';
  // Headers and padding come on top of what files hold.
  return isPlainTar ? packed : await promisify(gunzip)(packed, { maxOutputLength: bytesMax * 2 });
}

function withoutTopFolder({ files }: Archive): Archive['files'] {
  return files.flatMap(({ path, content }) => {
    const slash = path.indexOf('/');
    return slash < 0 ? [] : [{ path: path.slice(slash + 1), content }];
  });
}
