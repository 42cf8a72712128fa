import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { DamagedTree } from '../trees/damaged-tree.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

const FOLDERS_MAX = 1000;
const FILE_BYTES_MAX = 1 << 20;
/** Fields whose entries are files, folders or other repositories. */
const ENTRY_FIELDS = ['resources', 'bases', 'components', 'crds', 'configurations', 'generators', 'transformers', 'validators'] as const;
const PATCH_FIELDS = ['patches', 'patchesJson6902', 'replacements'] as const;
const GENERATOR_FIELDS = ['configMapGenerator', 'secretGenerator'] as const;

/** What a kustomization is made from. */
export interface KustomizationScan {
  /** All folders with a kustomization that take part, from the root of the revision. */
  readonly folders: readonly string[];
}

/**
 * Follows a kustomization to all that it takes in, before Kustomize does. Kustomize itself would read folders anywhere on the disk and
 * fetch from anywhere in the network: both are refused here.
 */
export async function findKustomizations(
  listing: TreeListing,
  start: string,
  { root, reader, extra }: { readonly root: string; readonly reader: ManifestReader; readonly extra: readonly string[] },
): Promise<KustomizationScan> {
  const seen = new Set<string>([start]);
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.size > FOLDERS_MAX) throw new ApiError(Code.Unknown, `the kustomization takes in more than ${FOLDERS_MAX} folders`);
    const entries = [...(await readEntries(listing, folder, { root, reader })), ...(folder === start ? extra : [])];
    for (const entry of entries) {
      const found = followEntry(listing, folder, entry);
      if (found === undefined || seen.has(found)) continue;
      seen.add(found);
      waiting.push(found);
    }
  }
  return { folders: [...seen].sort() };
}

/** The file of a folder that Kustomize reads, from the root of the revision. */
export function findKustomizationFile(listing: TreeListing, folder: string): string | undefined {
  for (const name of kustomizationNames) {
    const resolved = resolveInTree(listing, join(folder, name));
    if (resolved.found && resolved.entry.kind === 'file') return resolved.path;
  }
  return undefined;
}

async function readEntries(
  listing: TreeListing,
  folder: string,
  { root, reader }: { readonly root: string; readonly reader: ManifestReader },
): Promise<string[]> {
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

function listEntries(kustomization: JsonObject): string[] {
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
  return entries;
}

/** A folder to look into; undefined for a file, an inline text, or what Kustomize will complain about itself. */
function followEntry(listing: TreeListing, folder: string, entry: string): string | undefined {
  if (entry.includes('\n') || entry === '') return undefined;
  const resolved = entry.startsWith('/') ? ({ found: false, reason: 'outside' } as const) : resolveInTree(listing, `${folder}/${entry}`);
  if (resolved.found) return resolved.entry.kind === 'folder' ? resolved.path : undefined;
  if (looksRemote(entry))
    throw new ApiError(Code.Unimplemented, `remote resources of kustomizations are not supported yet: ${JSON.stringify(shorten(entry))}`);
  if (resolved.reason === 'outside')
    throw new ApiError(
      Code.Unknown,
      `${JSON.stringify(shorten(entry))} of the kustomization in ${JSON.stringify(folder || '.')} is outside the repository`,
    );
  return undefined;
}

function looksRemote(entry: string): boolean {
  return /:\/\/|::|@|\.git(?:\/|$|\?)|_git\/|\?|\/\/|^(?:gh:|[a-z0-9-]+\.(?:com|org|io|net)[/:])/i.test(entry);
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

function shorten(text: string): string {
  // A URL may hold a password.
  return text.replace(/\/\/[^/@]*@/, '//').slice(0, 200);
}
