import type { JsonValue, KubeObject } from '../../objects/index.ts';
import { parseYamlDocuments, YamlError } from '../../template/yaml/index.ts';
import type { YamlLimits } from '../../template/yaml/index.ts';
import { ObjectError, objectsOf } from './check-object.ts';
import { decodeText } from './decode-text.ts';
import { isJsonArray, isJsonObject } from './json-shape.ts';
import { ManifestError } from './manifest-error.ts';

/** A file, or the output of a tool. */
export interface ManifestText {
  /** As errors name it. */
  readonly name: string;
  /**
   * `directory` files may be something else altogether and are then passed over; in a `stream` everything is a manifest; `json` is one
   * object; `jsonnet` is a program.
   */
  readonly form: 'directory' | 'stream' | 'json' | 'jsonnet';
  readonly bytes: Uint8Array;
  /** Of a program: what it is called among the files of its context. */
  readonly path?: string;
}

export interface DecodeLimits extends YamlLimits {
  readonly objectsMax: number;
}

/** Runs one of the programs: its name for errors, and its path. Gives JSON; throws a ManifestError. */
export type RunProgram = (name: string, path: string) => string;

const MARKER = '+argocd:skip-file-rendering';
const IN_EVERY_MANIFEST = ['apiVersion:', 'kind:', 'metadata:'];

/** All objects of all texts in their order. */
export function decodeManifests(texts: readonly ManifestText[], limits: DecodeLimits, runProgram?: RunProgram): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const text of texts) {
    for (const object of decodeOne(text, limits, runProgram)) objects.push(object);
    if (objects.length > limits.objectsMax) throw new ManifestError(`there are more than ${limits.objectsMax} objects`);
  }
  return objects;
}

/** The first document of the first text, whatever it is. */
export function decodeValue(texts: readonly ManifestText[], limits: DecodeLimits): JsonValue {
  try {
    for (const { bytes } of texts) for (const document of parseYamlDocuments(decodeText(bytes), limits)) return document;
    return null;
  } catch (error) {
    if (error instanceof YamlError) throw new ManifestError(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

function decodeOne({ name, form, bytes, path }: ManifestText, limits: DecodeLimits, runProgram?: RunProgram): KubeObject[] {
  const text = decodeText(bytes);
  if (form !== 'stream' && text.includes(MARKER)) return [];
  if (form === 'jsonnet' && runProgram !== undefined && path !== undefined) return decodeProgram(name, runProgram(name, path));
  if (form === 'json') return decodeJson(name, text);
  const objects: KubeObject[] = [];
  try {
    for (const document of parseYamlDocuments(text, limits)) {
      objects.push(...objectsOf(document));
      if (objects.length > limits.objectsMax) throw new ManifestError(`there are more than ${limits.objectsMax} objects`);
    }
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof ObjectError)) throw error;
    // A file of values or of some other tool is not a broken manifest.
    if (form === 'directory' && objects.length === 0 && !IN_EVERY_MANIFEST.every((word) => text.includes(word))) return [];
    const reason = error instanceof YamlError ? `error converting YAML to JSON: ${error.message}` : error.message;
    throw new ManifestError(
      form === 'stream'
        ? `failed to unmarshal manifest: ${reason}`
        : `Failed to unmarshal ${JSON.stringify(name)}: failed to unmarshal manifest: ${reason}`,
    );
  }
  return objects;
}

/** A program gives one object, or a list of them. */
function decodeProgram(name: string, text: string): KubeObject[] {
  const quoted = JSON.stringify(name);
  try {
    const value = JSON.parse(text, keepIntegersExact) as JsonValue;
    if (isJsonArray(value)) return value.filter((item) => item !== null).flatMap(objectOfProgram);
    return value === null ? [] : objectOfProgram(value);
  } catch (error) {
    if (error instanceof ObjectError) throw new ManifestError(`Failed to unmarshal generated json ${quoted}: ${error.message}`);
    throw error;
  }
}

/** Nothing at all is an empty document elsewhere, but not what a program gives. */
function objectOfProgram(value: JsonValue): KubeObject[] {
  if (isJsonObject(value) && Object.keys(value).length === 0) throw new ObjectError("Object 'Kind' is missing");
  return objectsOf(value);
}

function decodeJson(name: string, text: string): KubeObject[] {
  const quoted = JSON.stringify(name);
  let value: JsonValue;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''), keepIntegersExact) as JsonValue;
  } catch (error) {
    if (error instanceof ObjectError) throw new ManifestError(`Failed to unmarshal ${quoted}: ${error.message}`);
    if (isSeveralObjects(text))
      throw new ManifestError(`Found multiple objects in ${quoted}. Only single objects are allowed in JSON files.`);
    // The parser's own message repeats contents.
    throw new ManifestError(`Failed to unmarshal ${quoted}: it is not JSON`);
  }
  if (isOciManifest(value)) return [];
  try {
    return objectsOf(value);
  } catch (error) {
    if (error instanceof ObjectError) throw new ManifestError(`Failed to unmarshal ${quoted}: ${error.message}`);
    throw error;
  }
}

/** An integer beyond what a number holds exactly must not become another one silently. */
function keepIntegersExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? ''))
    throw new ObjectError('an integer is too large to be carried exactly');
  return value;
}

function isSeveralObjects(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inText) {
      if (character === '\\') at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return /^\s*\{/.test(text.slice(at + 1));
  }
  return false;
}

/** Exported images lie beside manifests in some repositories. */
function isOciManifest(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'schemaVersion' in value && ('layers' in value || 'manifests' in value);
}
