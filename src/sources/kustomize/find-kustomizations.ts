import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { RemoteFile } from '../helm/remote-values.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { readTreeFiles } from '../trees/read-tree-file.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { readKustomizationFile, refuseUnreadableName } from './kustomization-file.ts';
import type { KustomizationFile } from './kustomization-file.ts';
import { listEntries, listPluginEntries, pluginFields, splitsInList, texts } from './list-entries.ts';
import type { Entry } from './list-entries.ts';
import { isRemoteFile, looksRemote } from './parse-remote-base.ts';
import { readPlugin, refuseChangedPlugins } from './read-plugins.ts';
import type { Plugin, PluginReading } from './read-plugins.ts';
import { withoutUser } from './remote-bases.ts';
import type { Mount, RemoteBases } from './remote-bases.ts';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

const FOLDERS_MAX = 1000;
const FILE_BYTES_MAX = 1 << 20;
/** To where all its entries lead: one through a chain of long links takes some ten thousand, and a file may name it again and again. */
const STEPS_MAX = 10_000_000;

/** A folder with a kustomization that takes part. */
export interface ScannedFolder {
  readonly mount: Mount;
  /** From the root of its revision. */
  readonly folder: string;
  /** What its file takes in from elsewhere, by how it is written there. */
  readonly remote: ReadonlyMap<string, RemoteEntry>;
  /** What its generators, transformers and validators are told, by how it is written there. */
  readonly plugins: ReadonlyMap<string, Plugin>;
  /** Whether Kustomize surely reads the same in its files; otherwise it must be given what was read here. */
  readonly isPlain: boolean;
}

export type RemoteEntry = { readonly mount: Mount; readonly folder: string } | { readonly file: RemoteFile };

interface Found {
  readonly mount: Mount;
  readonly folder: string;
  /** Whether what it takes in are plugins of another kustomization. */
  readonly holdsPlugins?: boolean;
}

export interface KustomizationSearch {
  readonly reader: ManifestReader;
  readonly remotes: RemoteBases;
  /** What the source itself adds to the first of them. */
  readonly extra: readonly string[];
}

/**
 * Follows a kustomization to all that it takes in, before Kustomize does. Kustomize itself would read folders anywhere on the disk and
 * fetch from anywhere in the network: the one is refused here, the other is done as for any repository.
 */
export async function findKustomizations(start: Found, search: KustomizationSearch): Promise<ScannedFolder[]> {
  const seen = new Map<string, Found>([[nameOf(start), start]]);
  const scanned: ScannedFolder[] = [];
  const reading = { reader: search.reader, steps: { left: STEPS_MAX }, files: new Map<string, Plugin>() };
  let isAnyInList = false;
  for (const at of seen.values()) {
    if (seen.size > FOLDERS_MAX) throw new ApiError(Code.Unknown, `the kustomization takes in more than ${FOLDERS_MAX} folders`);
    const { folder, found, isInList } = await scanFolder(at, { ...search, reading, extra: at === start ? search.extra : [] });
    scanned.push(folder);
    isAnyInList ||= isInList;
    for (const each of found) if (!seen.has(nameOf(each))) seen.set(nameOf(each), each);
  }
  // Which of the folders such a path begins with depends on who uses the chart.
  const split = isAnyInList ? scanned.find(({ folder }) => splitsInList(folder)) : undefined;
  if (split !== undefined)
    throw new ApiError(Code.Unknown, `values of helmCharts in ${JSON.stringify(split.folder)} would be several files to Helm`);
  return scanned.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function nameOf({ mount, folder, holdsPlugins = false }: Found): string {
  return `${mount.key}\0${folder}${holdsPlugins ? '\0' : ''}`;
}

async function scanFolder(
  at: Found,
  { reader, remotes, extra, reading }: KustomizationSearch & { readonly reading: PluginReading },
): Promise<{ readonly folder: ScannedFolder; readonly found: readonly Found[]; readonly isInList: boolean }> {
  const { mount, folder, holdsPlugins = false } = at;
  refuseUnreadableName(folder);
  const { content, isPlain } = await readFolder(at, reader);
  if (holdsPlugins) refuseChangedPlugins(folder, content);
  const remote = new Map<string, RemoteEntry>();
  const plugins = new Map<string, Plugin>();
  const told = new Set<Plugin>();
  const { steps } = reading;
  const found: Found[] = [];
  const entries = holdsPlugins ? [] : listEntries(content);
  for (const text of new Set((holdsPlugins ? (['resources'] as const) : pluginFields).flatMap((field) => texts(content[field])))) {
    const plugin = await readPlugin(at, text, reading);
    if (plugin === undefined) {
      const within = followEntry(at, { text, mayBeRemote: false }, steps);
      if (within === undefined) await fetchEntry({ text, mayBeRemote: false }, remotes, steps);
      else if ('mount' in within) found.push({ ...within, holdsPlugins: true });
      continue;
    }
    plugins.set(text, plugin);
    if (told.has(plugin)) continue;
    told.add(plugin);
    for (const object of plugin.objects) for (const entry of listPluginEntries(object)) entries.push(entry);
  }
  for (const entry of [...entries, ...extra.map((text) => ({ text, mayBeRemote: false }))]) {
    const each = followEntry(at, entry, steps) ?? (await fetchEntry(entry, remotes, steps));
    if ('isHere' in each) continue;
    if (!('mount' in each) || each.mount !== mount) remote.set(entry.text, each);
    if ('mount' in each) found.push(each);
  }
  const arePlain = isPlain && [...plugins.values()].every((plugin) => plugin.isPlain);
  const isInList = entries.some((entry) => entry.isInList === true);
  return { folder: { mount, folder, remote, plugins, isPlain: arePlain }, found, isInList };
}

/** The name of the file in a folder that Kustomize reads; it may be a link. */
export function findKustomizationName(listing: TreeListing, folder: string): string | undefined {
  return kustomizationNames.find((name) => {
    const resolved = resolveInTree(listing, join(folder, name));
    return resolved.found && resolved.entry.kind === 'file';
  });
}

/** Where there is no kustomization, Kustomize says so itself. */
async function readFolder({ mount: { listing, root }, folder }: Found, reader: ManifestReader): Promise<KustomizationFile> {
  const name = findKustomizationName(listing, folder);
  const resolved = name === undefined ? undefined : resolveInTree(listing, join(folder, name));
  if (resolved?.found !== true) return { content: {}, isPlain: true };
  const file = resolved.path;
  refuseUnreadableName(file);
  if ((listing.entries.get(file)?.sizeBytes ?? 0) > FILE_BYTES_MAX)
    throw new ApiError(Code.Unknown, `${file} is larger than ${FILE_BYTES_MAX} bytes`);
  const [bytes = new Uint8Array()] = await readTreeFiles(root, [file]);
  return await readKustomizationFile(file, bytes, reader);
}

/** A folder to look into; `isHere` for a file, an inline text, or what Kustomize will complain about itself; undefined elsewhere. */
function followEntry(
  { mount, folder }: Found,
  { text, mayBeText = false }: Entry,
  steps: { left: number },
): Found | { readonly isHere: true } | undefined {
  if (text === '' || (mayBeText && isText(folder, text))) return { isHere: true };
  // Kustomize fetches this whatever there is under that name in the repository.
  if (/^https?:/i.test(text)) return undefined;
  const { listing } = mount;
  // Kustomize takes steps upwards before it follows links: `link/../x` is beside the link, not where it leads to.
  const resolved = text.startsWith('/')
    ? ({ found: false, reason: 'outside' } as const)
    : resolveInTree(listing, join(folder, text), steps);
  if (resolved.found) return resolved.entry.kind === 'folder' ? { mount, folder: resolved.path } : { isHere: true };
  if (looksRemote(text)) return undefined;
  if (resolved.reason === 'outside')
    throw new ApiError(
      Code.Unknown,
      `${JSON.stringify(withoutUser(text))} of the kustomization in ${JSON.stringify(folder || '.')} is outside the repository`,
    );
  return { isHere: true };
}

/**
 * Whether it says itself what is meant. Kustomize takes it for the path of a file where it cannot read it as objects: one that leads out of
 * the repository is no text, unless signs are left in it that no file out there has in its path.
 */
function isText(folder: string, text: string): boolean {
  if (text.startsWith('/') || !/\n|^\s*[{[]/.test(text)) return false;
  const path = join(folder, text);
  return !/^\.\.(?:\/|$)/.test(path) || /[\n"{}[\]]/.test(path);
}

async function fetchEntry({ text, mayBeRemote }: Entry, remotes: RemoteBases, steps: { left: number }): Promise<RemoteEntry> {
  const shown = JSON.stringify(withoutUser(text));
  if (!mayBeRemote)
    throw new ApiError(Code.Unknown, `${shown} of a kustomization is elsewhere: only resources, bases and components of its file may be`);
  if (isRemoteFile(text)) return { file: await remotes.read(text) };
  const { mount, path } = await remotes.open(text);
  const resolved = resolveInTree(mount.listing, path, steps);
  if (!resolved.found || resolved.entry.kind !== 'folder') throw new ApiError(Code.Unknown, `${shown} of a kustomization is no folder`);
  return { mount, folder: resolved.path };
}
