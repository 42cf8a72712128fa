import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import { readTreeFiles } from '../trees/read-tree-file.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { isPlainYaml, refuseUnreadableName } from './kustomization-file.ts';
import type { Mount } from './remote-bases.ts';

/** What a generator, a transformer or a validator is told. */
export interface Plugin {
  readonly objects: readonly JsonObject[];
  /** Whether Kustomize surely reads the same in it. */
  readonly isPlain: boolean;
  /** The file that it is in, from the root of the revision; unset where it stands in the kustomization itself. */
  readonly file?: string;
}

export interface PluginReading {
  readonly reader: ManifestReader;
  /** How many steps to files are left. */
  readonly steps: { left: number };
  /** What was read from files: one may be named very often, and each time in another way. */
  readonly files: Map<string, Plugin>;
}

const FILE_BYTES_MAX = 1 << 20;
/** What may be in a kustomization that holds plugins: nothing that would change them before they are used. */
const HARMLESS_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'resources'];
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** Reads an entry of `generators` and its kin as Kustomize does: the very text where it is an object, otherwise a file; undefined for all others. */
export async function readPlugin(
  { mount: { key, listing, root }, folder }: { readonly mount: Mount; readonly folder: string },
  text: string,
  { reader, steps, files }: PluginReading,
): Promise<Plugin | undefined> {
  const bytes = Buffer.from(text);
  if (LINE_BREAK.test(text) || typeof (await reader.readValue({ name: 'kustomization', form: 'stream', bytes })) !== 'string')
    return { objects: await readObjects(bytes, reader), isPlain: isPlainYaml(bytes) && !mayBePath({ listing, folder }, text, steps) };
  const resolved = text.startsWith('/') ? undefined : resolveInTree(listing, join(folder, text), steps);
  if (resolved?.found !== true || resolved.entry.kind !== 'file') return undefined;
  const name = `${key}\0${resolved.path}`;
  const known = files.get(name);
  if (known !== undefined) return known;
  refuseUnreadableName(resolved.path);
  if (resolved.entry.sizeBytes > FILE_BYTES_MAX)
    throw new ApiError(Code.Unknown, `${resolved.path} is larger than ${FILE_BYTES_MAX} bytes`);
  const [content = new Uint8Array()] = await readTreeFiles(root, [resolved.path]);
  const plugin = { objects: await readObjects(content, reader), isPlain: isPlainYaml(content), file: resolved.path };
  files.set(name, plugin);
  return plugin;
}

async function readObjects(bytes: Uint8Array, reader: ManifestReader): Promise<readonly JsonObject[]> {
  const { objects } = await reader.read([{ name: 'kustomization', form: 'stream', bytes }]);
  return objects as readonly JsonObject[];
}

/**
 * Whether the text of a plugin would lead anywhere as a path. Kustomize takes it for one where something is wrong with the object in it,
 * such as a name that is missing; and what stands before `/../` need not be there.
 */
export function mayBePath(
  { listing, folder }: { readonly listing: TreeListing; readonly folder: string },
  text: string,
  steps?: { left: number },
): boolean {
  if (text === '') return false;
  return /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text) || resolveInTree(listing, join(folder, text), steps).found;
}

/**
 * The same in a form that everyone reads alike. There is no slash in it, so that it leads nowhere as a path; a file of its own would be used
 * after all that is a text, and the order of transformers counts.
 */
export function writePlugin({ objects }: Plugin): string {
  return objects.map((object) => JSON.stringify(object).replaceAll('/', String.raw`\u002f`)).join('\n---\n');
}

/** Plugins are looked at before they are used: where they are changed in between, nobody knows what they are. */
export function refuseChangedPlugins(folder: string, kustomization: JsonObject): void {
  const field = Object.keys(kustomization).find((name) => !HARMLESS_FIELDS.includes(name));
  if (field !== undefined)
    throw new ApiError(
      Code.Unknown,
      `the kustomization in ${JSON.stringify(folder || '.')} holds generators, transformers or validators of another one: with ${JSON.stringify(field)} that is not supported`,
    );
}
