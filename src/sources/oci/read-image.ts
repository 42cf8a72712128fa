import { ApiError, Code } from '../../base/index.ts';
import type { OCIMetadata } from '../../contract/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { readJson } from './read-json.ts';
import type { BlobDescriptor, Manifest } from './registry.ts';

const CHART_CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
/** What layers are where the installation does not say so. */
export const usualLayerTypes: readonly string[] = [
  'application/vnd.oci.image.layer.v1.tar',
  'application/vnd.oci.image.layer.v1.tar+gzip',
  CHART_LAYER,
];
const MANIFESTS: readonly string[] = ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json'];
const CONTENT = /tar$|tar[+.]gzip$/;
const LAYERS_MAX = 10;

/** The one layer of an image that holds what is to be rendered. */
export function findContentLayer(manifest: Manifest, allowedTypes: readonly string[]): BlobDescriptor {
  const image = parseManifest(manifest);
  const isChart = typeOf(image['config']) === CHART_CONFIG;
  const layers = (isJsonArray(image['layers']) ? image['layers'] : []).filter((layer) => isJsonObject(layer));
  if (layers.length > LAYERS_MAX) throw refuse(`expected no more than ${LAYERS_MAX} oci layers, got ${layers.length}`);
  const wanted = isChart ? layers.filter((layer) => typeOf(layer) === CHART_LAYER) : layers;
  for (const layer of wanted)
    if (!allowedTypes.includes(typeOf(layer)))
      throw refuse(`oci layer media type ${typeOf(layer).slice(0, 200)} is not in the list of allowed media types`);
  const content = wanted.filter((layer) => CONTENT.test(typeOf(layer)));
  const [only] = content;
  if (only === undefined || content.length > 1) throw refuse(`expected only a single oci content layer, got ${content.length}`);
  const { digest, size } = only;
  if (typeof digest !== 'string' || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw refuse('the content layer has neither a digest nor a size');
  return { digest, sizeBytes: size, isChart };
}

/** What an image says about itself. */
export function readImageMetadata(manifest: Manifest): OCIMetadata {
  const { annotations } = parseManifest(manifest);
  const read = (name: string): string => {
    const value = isJsonObject(annotations) ? annotations[`org.opencontainers.image.${name}`] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const fields = {
    createdAt: read('created'),
    authors: read('authors'),
    docsUrl: read('documentation'),
    sourceUrl: read('source'),
    version: read('version'),
    description: read('description'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as OCIMetadata;
}

function parseManifest({ body, mediaType }: Manifest): JsonObject {
  const image = readJson(body);
  if (!isJsonObject(image)) throw refuse('the manifest cannot be read');
  const type = typeOf(image) || mediaType;
  if (!MANIFESTS.includes(type)) throw refuse(`expected the manifest of an image, got ${JSON.stringify(type.slice(0, 200))}`);
  return image;
}

function typeOf(value: JsonValue | undefined): string {
  const type = isJsonObject(value) ? value['mediaType'] : undefined;
  return typeof type === 'string' ? type : '';
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.Unknown, reason);
}
