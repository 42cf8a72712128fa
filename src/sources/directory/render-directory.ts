import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { SourceLimits } from '../limits.ts';
import type { ManifestText } from '../manifests/decode-manifests.ts';
import { DamagedTree } from '../trees/damaged-tree.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { findManifestFiles } from './find-manifest-files.ts';
import type { ManifestFile } from './find-manifest-files.ts';

const READING_MAX = 32;

export interface DirectoryRequest {
  readonly listing: TreeListing;
  /** From the root of the revision. */
  readonly folder: string;
  readonly directory: NonNullable<ApplicationSource['directory']>;
  readonly jsonnetEnabled: boolean;
  readonly limits: SourceLimits;
}

/** Decides what is read, before anything is read. */
export function planDirectory({ listing, folder, directory, jsonnetEnabled, limits }: DirectoryRequest): ManifestFile[] {
  const files = findManifestFiles(listing, folder, directory);
  const jsonnet = files.find((file) => file.form === 'jsonnet');
  if (jsonnet !== undefined && jsonnetEnabled) throw new ApiError(Code.Unimplemented, `Jsonnet is not supported yet: ${jsonnet.path}`);
  const plain = files.filter((file) => file.form !== 'jsonnet');
  const bytes = plain.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (limits.directoryBytesMax > 0 && bytes > limits.directoryBytesMax)
    throw new ApiError(Code.Unknown, 'failed to get potentially valid manifests: exceeded max combined manifest file size');
  return plain;
}

/** Reads the planned files from a checked-out revision; a file that is not there as the listing says throws a DamagedTree. */
export async function readDirectory(root: string, files: readonly ManifestFile[]): Promise<ManifestText[]> {
  const texts: ManifestText[] = [];
  for (let from = 0; from < files.length; from += READING_MAX)
    texts.push(...(await Promise.all(files.slice(from, from + READING_MAX).map((file) => readOne(root, file)))));
  return texts;
}

async function readOne(root: string, { path, place, form }: ManifestFile): Promise<ManifestText> {
  try {
    const bytes = await readFile(join(root, place));
    return { name: basename(path), form: form === 'json' ? 'json' : 'directory', bytes };
  } catch (error) {
    throw new DamagedTree(place, { cause: error });
  }
}
