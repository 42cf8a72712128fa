import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../base/index.ts';
import type { ApplicationSource } from '../contract/index.ts';
import { applyMergePatch, isJsonObject } from '../objects/index.ts';
import type { JsonObject } from '../objects/index.ts';
import type { ManifestReader } from './manifests/manifest-reader.ts';
import { resolveInTree } from './trees/tree-listing.ts';
import type { TreeListing } from './trees/tree-listing.ts';

/** What decides where a source comes from cannot be changed by what it brings. */
const FIXED_FIELDS = ['repoURL', 'path', 'targetRevision', 'chart'] as const;
const FILE_BYTES_MAX = 256 * 1024;

export interface OverrideFile {
  /** From the root of the revision. */
  readonly place: string;
  readonly id: string;
}

/** The files beside the manifests that change the source: one for every application, one for the application of this name. */
export function findOverrides(listing: TreeListing, folder: string, applicationName: string): OverrideFile[] {
  const start = folder === '' ? '' : `${folder}/`;
  const names = ['.argocd-source.yaml', `.argocd-source-${applicationName}.yaml`];
  return names.flatMap((name) => {
    if (name.includes('/')) return [];
    const resolved = resolveInTree(listing, `${start}${name}`);
    if (!resolved.found || resolved.entry.kind !== 'file') return [];
    if (resolved.entry.sizeBytes > FILE_BYTES_MAX) throw parameterError(`${name} is larger than ${FILE_BYTES_MAX} bytes`);
    return [{ place: resolved.path, id: resolved.entry.id }];
  });
}

/** The source as the files change it. */
export async function applyOverrides(
  source: ApplicationSource,
  files: readonly OverrideFile[],
  { root, reader }: { readonly root: string; readonly reader: ManifestReader },
): Promise<ApplicationSource> {
  let changed = source as unknown as JsonObject;
  for (const { place } of files) {
    const patch = await readPatch(join(root, place), reader);
    if (patch !== null) changed = applyMergePatch(changed, patch) as JsonObject;
  }
  const fixed = Object.fromEntries(FIXED_FIELDS.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])));
  const rest = Object.fromEntries(Object.entries(changed).filter(([name]) => !(FIXED_FIELDS as readonly string[]).includes(name)));
  return { ...rest, ...fixed } as unknown as ApplicationSource;
}

async function readPatch(path: string, reader: ManifestReader): Promise<JsonObject | null> {
  try {
    const value = await reader.readValue({ name: '.argocd-source.yaml', form: 'stream', bytes: await readFile(path) });
    if (value === null) return null;
    if (!isJsonObject(value)) throw parameterError('it is not an object');
    return value;
  } catch (error) {
    if (error instanceof ApiError && error.code === Code.FailedPrecondition) throw parameterError(error.message);
    throw error;
  }
}

function parameterError(reason: string): ApiError {
  return new ApiError(Code.Unknown, `error while parsing source parameters: ${reason}`);
}
