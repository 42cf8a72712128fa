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
  const files = findManifestFiles(listing, folder, directory).filter(({ form }) => form !== 'jsonnet' || jsonnetEnabled);
  // Programs have limits of their own.
  const bytes = files.reduce((sum, file) => sum + (file.form === 'jsonnet' ? 0 : file.sizeBytes), 0);
  if (limits.directoryBytesMax > 0 && bytes > limits.directoryBytesMax)
    throw new ApiError(Code.Unknown, 'failed to get potentially valid manifests: exceeded max combined manifest file size');
  return files;
}

/** What a program is called: its path from the root of the revision. */
export function nameOf(folder: string, { path }: Pick<ManifestFile, 'path'>): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Reads the planned files from a checked-out revision; a file that is not there as the listing says throws a DamagedTree. */
export async function readDirectory(root: string, files: readonly ManifestFile[], folder: string): Promise<ManifestText[]> {
  const texts: ManifestText[] = [];
  for (let from = 0; from < files.length; from += READING_MAX)
    texts.push(...(await Promise.all(files.slice(from, from + READING_MAX).map((file) => readOne(root, file, folder)))));
  return texts;
}

async function readOne(root: string, file: ManifestFile, folder: string): Promise<ManifestText> {
  const { path, place, form } = file;
  try {
    const bytes = await readFile(join(root, place));
    const name = basename(path);
    if (form === 'jsonnet') return { name, form, bytes, path: nameOf(folder, file) };
    return { name, form: form === 'json' ? 'json' : 'directory', bytes };
  } catch (error) {
    throw new DamagedTree(place, { cause: error });
  }
}
