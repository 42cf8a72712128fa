import { cp, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isJsonArray } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { findKustomizationName, kustomizationNames } from './find-kustomizations.ts';
import type { ScannedFolder } from './find-kustomizations.ts';
import { readKustomizationFile } from './kustomization-file.ts';
import { pluginFields, remoteFields } from './list-entries.ts';
import { mayBePath, writePlugin } from './read-plugins.ts';
import type { Mount } from './remote-bases.ts';

export interface LayOutOptions {
  readonly reader: ManifestReader;
  /** Whether Kustomize may read files of a repository that are in none of the folders. */
  readonly readsBeside: boolean;
}

/**
 * Lays out all folders of a kustomization in one place, those of other repositories beside its own, and writes into its files where they
 * are: Kustomize finds everything here and asks nobody.
 */
export async function layOutFolders(scanned: readonly ScannedFolder[], copy: string, options: LayOutOptions): Promise<void> {
  const { reader, readsBeside } = options;
  const places = new Map<string, string>();
  const placeOf = ({ key }: Mount): string => {
    let place = places.get(key);
    if (place === undefined) {
      place = key === '' ? copy : join(copy, `.remote-${places.size}`);
      places.set(key, place);
    }
    return place;
  };
  const mounts = new Set(scanned.map((each) => each.mount));
  for (const mount of mounts) await copyLinks(mount, placeOf(mount));
  for (const { mount, folder } of scanned) {
    const place = placeOf(mount);
    await cp(join(mount.root, folder), join(place, folder), { ...copyOptions(mount), force: true });
    await makeOwnFile(mount.root, place, folder);
  }
  for (const each of scanned) {
    if (each.remote.size > 0 || !each.isPlain) await rewriteFile(each, placeOf, reader);
    for (const plugin of new Set(each.plugins.values()))
      if (plugin.file !== undefined && !plugin.isPlain) await writeOver(join(placeOf(each.mount), plugin.file), writePlugin(plugin));
  }
  // Last of all: nothing may be written through a link.
  for (const mount of readsBeside ? mounts : []) {
    const copied = new Set(scanned.filter((each) => each.mount === mount).map(({ folder }) => folder));
    await linkRest({ root: mount.root, place: placeOf(mount), copied }, '');
  }
}

/** How folders of a revision are copied: without links whose bytes cannot be written, which would lead to what nobody has looked at. */
export function copyOptions({ listing, root }: Pick<Mount, 'listing' | 'root'>) {
  const filter = (path: string): boolean => listing.links.get(relative(root, path))?.isWellFormed() !== false;
  return { recursive: true, verbatimSymlinks: true, filter };
}

interface Rest {
  readonly root: string;
  readonly place: string;
  /** Folders that are there as a whole. */
  readonly copied: ReadonlySet<string>;
}

/** Links to all of a revision that is not in its place yet. */
async function linkRest(rest: Rest, folder: string): Promise<void> {
  const { root, place, copied } = rest;
  if (copied.has(folder)) return;
  for (const name of await readdir(join(root, folder))) {
    const path = join(folder, name);
    const state = await lstat(join(place, path)).catch(() => undefined);
    if (state === undefined) await symlink(join(root, path), join(place, path));
    else if (state.isDirectory()) await linkRest(rest, path);
  }
}

async function writeOver(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await writeFile(path, text);
}

/** A folder may be named by a link that leads to it. */
async function copyLinks({ listing }: Mount, place: string): Promise<void> {
  for (const [path, target] of listing.links) {
    // Its bytes cannot be written: it would be another one.
    if (!path.isWellFormed() || !target.isWellFormed()) continue;
    await mkdir(dirname(join(place, path)), { recursive: true });
    await symlink(target, join(place, path));
  }
}

/** Writes a kustomization anew: as it was read here, with what is elsewhere under its place here. */
async function rewriteFile(
  { mount, folder, remote, plugins }: ScannedFolder,
  placeOf: (mount: Mount) => string,
  reader: ManifestReader,
): Promise<void> {
  const name = findKustomizationName(mount.listing, folder);
  if (name === undefined) return;
  const here = join(placeOf(mount), folder);
  const written = new Map<string, string>();
  for (const [entry, found] of remote) {
    if ('file' in found) {
      const own = `.remote-${written.size}.yaml`;
      await writeFile(join(here, own), found.file.content);
      written.set(entry, own);
    } else written.set(entry, relative(here, join(placeOf(found.mount), found.folder)));
  }
  // Where it was a link, it is a file of its own by now.
  const path = join(here, name);
  const { content } = await readKustomizationFile(name, await readFile(path), reader);
  for (const [text, plugin] of plugins) {
    if (plugin.file !== undefined) continue;
    const told = writePlugin(plugin);
    // A file or folder may have the very text as its name. That of a file leads to that file alone.
    const own = mayBePath({ listing: mount.listing, folder }, told) ? `.plugin-${written.size}.yaml` : undefined;
    if (own !== undefined) await writeOver(join(here, own), told);
    written.set(text, own ?? told);
  }
  const replace = (entries: JsonValue | undefined): JsonValue =>
    isJsonArray(entries) ? entries.map((entry) => (typeof entry === 'string' ? (written.get(entry) ?? entry) : entry)) : (entries ?? []);
  const replaced = [...remoteFields, ...pluginFields].flatMap((field) =>
    content[field] === undefined ? [] : [[field, replace(content[field])]],
  );
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ ...content, ...(Object.fromEntries(replaced) as JsonObject) }, undefined, 2));
}

/** A kustomization that is a link would be changed where it leads to. */
export async function makeOwnFile(root: string, copy: string, folder: string): Promise<void> {
  for (const name of kustomizationNames) {
    const path = join(copy, folder, name);
    const state = await lstat(path).catch(() => undefined);
    if (state?.isSymbolicLink() !== true) continue;
    const content = await readFile(join(root, folder, name));
    await rm(path);
    await writeFile(path, content);
  }
}
