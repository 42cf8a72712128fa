import { ApiError, Code } from '../../base/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';

/** The fields of a kustomization that name something, as they are written. */
const FIELDS = [
  'resources',
  'bases',
  'components',
  'crds',
  'configurations',
  'generators',
  'transformers',
  'validators',
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'replacements',
  'configMapGenerator',
  'secretGenerator',
  'openapi',
  'helmCharts',
  'helmChartInflationGenerator',
  'helmGlobals',
] as const;
const FIELD_BY_FOLDED = new Map<string, string>(FIELDS.map((field) => [foldCase(field), field]));

export interface KustomizationFile {
  /** The fields above are named as they are there. */
  readonly content: JsonObject;
  /** Whether Kustomize surely reads the same in the file as it is. */
  readonly isPlain: boolean;
}

export async function readKustomizationFile(name: string, bytes: Uint8Array, reader: ManifestReader): Promise<KustomizationFile> {
  const value = await reader.readValue({ name, form: 'stream', bytes });
  const given = isJsonObject(value) ? value : {};
  const folded = foldFields(given);
  const content = Object.fromEntries(Object.entries(folded).map(([key, entry]) => [FIELD_BY_FOLDED.get(key) ?? key, entry]));
  const others = Object.entries(given).filter(([key]) => !FIELD_BY_FOLDED.has(foldCase(key)));
  const known = FIELDS.flatMap((field) => (Object.hasOwn(content, field) ? [[field, content[field] ?? null] as const] : []));
  const isNamedAsUsual = known.every(([field]) => Object.hasOwn(given, field));
  return { content: Object.fromEntries([...others, ...known]), isPlain: isNamedAsUsual && isPlainYaml(bytes) };
}

/** Kustomize takes a field for another whose name differs only in the case of its letters, and so must whoever looks before it does. */
export function foldFields(object: JsonObject): JsonObject {
  const folded = new Map<string, JsonObject[string]>();
  for (const [name, value] of Object.entries(object)) {
    const key = foldCase(name);
    if (folded.has(key)) throw new ApiError(Code.Unknown, `the field ${JSON.stringify(name)} is in the kustomization twice`);
    folded.set(key, value);
  }
  return Object.fromEntries(folded);
}

/** Kustomize comes to such a place by a link. Here it would be looked for under what its name reads as, where something else may be. */
export function refuseUnreadableName(path: string): void {
  if (!path.isWellFormed())
    throw new ApiError(Code.Unknown, 'the kustomization leads to a file or folder whose name is not UTF-8: that is not supported');
}

/** In both directions: there are letters beside A to Z that become one of these in only one of them. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/**
 * Readers of YAML do not agree on every text: on what ends a line, on tags, on what is merged. A file without anything of the kind reads
 * the same everywhere; of any other Kustomize is given what was read here.
 */
export function isPlainYaml(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^---\n/, '');
  return /^[\n\x20-\x7e]*$/.test(text) && !/[&*!%\\<>|?`@]|^(?:---|\.\.\.)/m.test(text);
}
