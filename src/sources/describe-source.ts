import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoAppDetailsResponse } from '../contract/index.ts';
import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../objects/index.ts';
import { buildEnvironment } from './build-environment.ts';
import { expandPath } from './helm/expand-path.ts';
import { findValueFiles } from './helm/find-value-files.ts';
import { flattenValues } from './helm/flatten-values.ts';
import type { PluginSubject } from './plugin/plugins.ts';
import { withFiles, type Place, type RenderContext } from './render-context.ts';
import { walkBelow } from './trees/tree-children.ts';
import { resolveInTree } from './trees/tree-listing.ts';

const VALUES_BYTES_MAX = 1 << 20;

/** What a chart offers to set: its value files, its own values, and all of them as parameters. */
export async function describeChart(
  context: Pick<RenderContext, 'trees' | 'reader'>,
  { request, source, place }: Pick<PluginSubject, 'request' | 'source' | 'place'>,
): Promise<NonNullable<RepoAppDetailsResponse['helm']>> {
  const { listing, folder } = place;
  const start = folder === '' ? '' : `${folder}/`;
  const valueFiles = [...walkBelow(listing, folder)].filter((path) => isValueFile(path)).map((path) => path.slice(start.length));
  const { helm = {} } = source;
  const own = { reference: '', listing, folder };
  const environment = buildEnvironment(request);
  const paths = (helm.valueFiles ?? []).map((path) => expandPath(path, environment));
  // Files of other sources and of the network are not read here.
  const named = paths.filter((path) => !path.startsWith('$') && !path.includes('://'));
  const chosen = findValueFiles(named, { own, references: new Map(), schemes: [], ignoreMissing: true });
  const texts = await withFiles(context, place, request.signal, (root) =>
    Promise.all([`${start}values.yaml`, ...chosen.map((file) => file.place)].map((path) => readText(place, root, path))),
  );
  const parameters = new Map<string, string>();
  for (const text of texts) {
    if (text === undefined) continue;
    const value = await context.reader.readValue({ name: 'values.yaml', form: 'stream', bytes: Buffer.from(text) });
    for (const [name, setting] of flattenValues(value)) parameters.set(name, setting);
  }
  return {
    ...(valueFiles.length > 0 && { valueFiles }),
    ...(texts[0] !== undefined && { values: texts[0] }),
    ...(parameters.size > 0 && { parameters: [...parameters].map(([name, value]) => ({ name, value })) }),
    ...(helm.fileParameters !== undefined && { fileParameters: helm.fileParameters }),
  };
}

/** The images of all containers, in byte order, each as often as it is used. */
export function listImages(objects: readonly KubeObject[]): string[] {
  const images: string[] = [];
  const visit = (value: JsonValue | undefined): void => {
    if (isJsonArray(value)) for (const item of value) visit(item);
    if (!isJsonObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if ((key === 'containers' || key === 'initContainers') && isJsonArray(item))
        for (const container of item)
          if (isJsonObject(container) && typeof container['image'] === 'string') images.push(container['image']);
      visit(item);
    }
  };
  for (const object of objects) visit(object as unknown as JsonValue);
  return images.sort();
}

function isValueFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('values') && /\.ya?ml$/i.test(name);
}

/** Undefined for what is not there, leads elsewhere, or is too large to be shown. */
async function readText({ listing }: Place, root: string, path: string): Promise<string | undefined> {
  const resolved = resolveInTree(listing, path);
  if (!resolved.found || resolved.entry.kind !== 'file' || resolved.entry.sizeBytes > VALUES_BYTES_MAX) return undefined;
  return await readFile(join(root, resolved.path), 'utf8');
}
