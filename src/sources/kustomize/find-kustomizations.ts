import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { RemoteFile } from '../helm/remote-values.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { DamagedTree } from '../trees/damaged-tree.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { isRemoteFile, looksRemote } from './parse-remote-base.ts';
import { withoutUser } from './remote-bases.ts';
import type { Mount, RemoteBases } from './remote-bases.ts';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

const FOLDERS_MAX = 1000;
const FILE_BYTES_MAX = 1 << 20;
/** Fields whose entries are files, folders or other repositories. */
export const remoteFields = ['resources', 'bases', 'components'] as const;
const ENTRY_FIELDS = ['crds', 'configurations', 'generators', 'transformers', 'validators'] as const;
const PATCH_FIELDS = ['patches', 'patchesJson6902', 'replacements'] as const;
const GENERATOR_FIELDS = ['configMapGenerator', 'secretGenerator'] as const;

/** A folder with a kustomization that takes part. */
export interface ScannedFolder {
  readonly mount: Mount;
  /** From the root of its revision. */
  readonly folder: string;
  /** What its file takes in from elsewhere, by how it is written there. */
  readonly remote: ReadonlyMap<string, RemoteEntry>;
}

export type RemoteEntry = { readonly mount: Mount; readonly folder: string } | { readonly file: RemoteFile };

interface Found {
  readonly mount: Mount;
  readonly folder: string;
}

/**
 * Follows a kustomization to all that it takes in, before Kustomize does. Kustomize itself would read folders anywhere on the disk and
 * fetch from anywhere in the network: the one is refused here, the other is done as for any repository.
 */
export async function findKustomizations(
  start: Found,
  { reader, remotes, extra }: { readonly reader: ManifestReader; readonly remotes: RemoteBases; readonly extra: readonly string[] },
): Promise<ScannedFolder[]> {
  const nameOf = ({ mount, folder }: Found): string => `${mount.key}\0${folder}`;
  const seen = new Map<string, Found>([[nameOf(start), start]]);
  const scanned: ScannedFolder[] = [];
  for (const at of seen.values()) {
    if (seen.size > FOLDERS_MAX) throw new ApiError(Code.Unknown, `the kustomization takes in more than ${FOLDERS_MAX} folders`);
    const remote = new Map<string, RemoteEntry>();
    const own = await readEntries(at, reader);
    const others = at === start ? extra.map((text) => ({ text, mayBeRemote: false })) : [];
    for (const entry of [...own, ...others]) {
      const found = followEntry(at, entry) ?? (await fetchEntry(entry, remotes));
      if (found === undefined || 'isHere' in found) continue;
      if (!('mount' in found) || found.mount !== at.mount) remote.set(entry.text, found);
      if ('mount' in found && !seen.has(nameOf(found))) seen.set(nameOf(found), found);
    }
    scanned.push({ ...at, remote });
  }
  return scanned.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** The file of a folder that Kustomize reads, from the root of the revision. */
export function findKustomizationFile(listing: TreeListing, folder: string): string | undefined {
  for (const name of kustomizationNames) {
    const resolved = resolveInTree(listing, join(folder, name));
    if (resolved.found && resolved.entry.kind === 'file') return resolved.path;
  }
  return undefined;
}

async function readEntries({ mount: { listing, root }, folder }: Found, reader: ManifestReader): Promise<Entry[]> {
  const file = findKustomizationFile(listing, folder);
  // Kustomize says what is missing where there is none.
  if (file === undefined) return [];
  if ((listing.entries.get(file)?.sizeBytes ?? 0) > FILE_BYTES_MAX)
    throw new ApiError(Code.Unknown, `${file} is larger than ${FILE_BYTES_MAX} bytes`);
  const bytes = await readFile(join(root, file)).catch((error: unknown) => {
    throw new DamagedTree(file, { cause: error });
  });
  const value = await reader.readValue({ name: file, form: 'stream', bytes });
  return isJsonObject(value) ? listEntries(value) : [];
}

interface Entry {
  readonly text: string;
  /** Kustomize fetches only some of what it takes in. */
  readonly mayBeRemote: boolean;
}

function listEntries(kustomization: JsonObject): Entry[] {
  const entries = ENTRY_FIELDS.flatMap((field) => texts(kustomization[field]));
  entries.push(...texts(kustomization['patchesStrategicMerge']));
  for (const field of PATCH_FIELDS) entries.push(...objects(kustomization[field]).flatMap((patch) => texts([patch['path'] ?? null])));
  for (const field of GENERATOR_FIELDS)
    for (const generator of objects(kustomization[field])) {
      const files = texts(generator['files']).map((file) => file.slice(file.indexOf('=') + 1));
      entries.push(...files, ...texts(generator['envs']), ...texts([generator['env'] ?? null]));
    }
  const openapi = kustomization['openapi'];
  if (isJsonObject(openapi)) entries.push(...texts([openapi['path'] ?? null]));
  refuseRemoteCharts(kustomization);
  const taken = remoteFields.flatMap((field) => texts(kustomization[field]));
  return [...taken.map((text) => ({ text, mayBeRemote: true })), ...entries.map((text) => ({ text, mayBeRemote: false }))];
}

/** A folder to look into; `isHere` for a file, an inline text, or what Kustomize will complain about itself; undefined elsewhere. */
function followEntry({ mount, folder }: Found, { text }: Entry): Found | { readonly isHere: true } | undefined {
  if (text.includes('\n') || text === '') return { isHere: true };
  const { listing } = mount;
  const resolved = text.startsWith('/') ? ({ found: false, reason: 'outside' } as const) : resolveInTree(listing, `${folder}/${text}`);
  if (resolved.found) return resolved.entry.kind === 'folder' ? { mount, folder: resolved.path } : { isHere: true };
  if (looksRemote(text)) return undefined;
  if (resolved.reason === 'outside')
    throw new ApiError(
      Code.Unknown,
      `${JSON.stringify(withoutUser(text))} of the kustomization in ${JSON.stringify(folder || '.')} is outside the repository`,
    );
  return { isHere: true };
}

async function fetchEntry({ text, mayBeRemote }: Entry, remotes: RemoteBases): Promise<RemoteEntry> {
  const shown = JSON.stringify(withoutUser(text));
  if (!mayBeRemote)
    throw new ApiError(Code.Unknown, `${shown} of a kustomization is elsewhere: only resources, bases and components of its file may be`);
  if (isRemoteFile(text)) return { file: await remotes.read(text) };
  const { mount, path } = await remotes.open(text);
  const resolved = resolveInTree(mount.listing, path);
  if (!resolved.found || resolved.entry.kind !== 'folder') throw new ApiError(Code.Unknown, `${shown} of a kustomization is no folder`);
  return { mount, folder: resolved.path };
}

/** Charts are fetched by Helm, from anywhere; and their names become arguments. */
function refuseRemoteCharts(kustomization: JsonObject): void {
  const charts = [...objects(kustomization['helmCharts']), ...objects(kustomization['helmChartInflationGenerator'])];
  for (const chart of charts) {
    for (const value of Object.values(chart))
      if (typeof value === 'string' && value.startsWith('-'))
        throw new ApiError(
          Code.Unknown,
          'a value of helmCharts in the kustomization starts with a dash, which Helm would take for an option',
        );
    if (texts([chart['repo'] ?? chart['chartRepoUrl'] ?? null]).some((repo) => repo !== ''))
      throw new ApiError(Code.Unimplemented, 'charts that a kustomization fetches from a repository are not supported yet');
  }
}

function texts(value: JsonValue | undefined): string[] {
  return isJsonArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
