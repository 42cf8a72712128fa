import { basename } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import type { ManifestText } from '../manifests/decode-manifests.ts';
import { readTreeFiles } from '../trees/read-tree-file.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { findManifestFiles } from './find-manifest-files.ts';
import type { ManifestFile } from './find-manifest-files.ts';

export interface DirectoryRequest {
  readonly listing: TreeListing;
  /** From the root of the revision. */
  readonly folder: string;
  readonly directory: NonNullable<ApplicationSource['directory']>;
  readonly jsonnetEnabled: boolean;
  /** All plain manifests together; 0 is no limit. */
  readonly bytesMax: number;
}

/** Decides what is read, before anything is read. */
export function planDirectory({ listing, folder, directory, jsonnetEnabled, bytesMax }: DirectoryRequest): ManifestFile[] {
  const files = findManifestFiles(listing, folder, directory).filter(({ form }) => form !== 'jsonnet' || jsonnetEnabled);
  // Programs have limits of their own.
  const bytes = files.reduce((sum, file) => sum + (file.form === 'jsonnet' ? 0 : file.sizeBytes), 0);
  if (bytesMax > 0 && bytes > bytesMax)
    throw new ApiError(Code.Unknown, 'failed to get potentially valid manifests: exceeded max combined manifest file size');
  return files;
}

/** What a program is called: its path from the root of the revision. */
export function nameOf(folder: string, { path }: Pick<ManifestFile, 'path'>): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Reads the planned files from a checked-out revision; a file that is not there as the listing says throws a DamagedTree. */
export async function readDirectory(root: string, files: readonly ManifestFile[], folder: string): Promise<ManifestText[]> {
  const contents = await readTreeFiles(
    root,
    files.map(({ place }) => place),
  );
  return files.map((file, at) => {
    const text = { name: basename(file.path), bytes: contents[at] ?? new Uint8Array() };
    if (file.form === 'jsonnet') return { ...text, form: 'jsonnet', path: nameOf(folder, file) };
    return { ...text, form: file.form === 'json' ? 'json' : 'directory' };
  });
}
