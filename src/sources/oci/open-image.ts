import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { readJson } from './read-json.ts';
import { isDigest } from './registry-place.ts';
import type { Manifest, Registry, RegistryCall } from './registry.ts';

const INDEXES: readonly string[] = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'];
/** Statements about an image that builders put beside it. */
const STATEMENT = 'vnd.docker.reference.type';

/**
 * The manifest of an image. Some builders wrap even a single one in an index: then it is that one. Which of several is meant cannot be
 * told, and whoever reads the answer refuses it.
 */
export async function openImage(registry: Pick<Registry, 'manifest'>, call: RegistryCall, reference: string): Promise<Manifest> {
  const manifest = await registry.manifest(call, reference);
  const only = findOnlyImage(manifest);
  return only === undefined ? manifest : await registry.manifest(call, only);
}

/** The digest of the one image in an index. */
export function findOnlyImage({ body, mediaType }: Pick<Manifest, 'body' | 'mediaType'>): string | undefined {
  const index = readJson(body);
  if (!isJsonObject(index) || !INDEXES.includes(textOf(index, 'mediaType') || mediaType)) return undefined;
  const listed = isJsonArray(index['manifests']) ? index['manifests'] : [];
  const images = listed.filter((entry) => !(isJsonObject(entry) && isStatement(entry)));
  const digest = images.length === 1 ? textOf(images[0], 'digest') : '';
  return isDigest(digest) ? digest : undefined;
}

function isStatement(entry: JsonObject): boolean {
  return textOf(entry['annotations'], STATEMENT) !== '';
}

function textOf(value: JsonValue | undefined, name: string): string {
  const text = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
}
