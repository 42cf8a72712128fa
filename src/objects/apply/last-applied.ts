import { isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import type { Atom } from './atom.ts';
import { checkTyped } from './check-typed.ts';
import { compareTyped } from './compare-typed.ts';
import { encodeSortedJson } from './encode-json.ts';
import { subtractFieldSet } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { TypedError } from './typed-error.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/** The fields that the last client-side apply named and that still have its values; undefined where that cannot be told. */
export function lastAppliedFields(live: JsonObject, apiVersion: string, atom: Atom): FieldSet | undefined {
  const text = ownValue(annotationsOf(live), ANNOTATION);
  if (typeof text !== 'string' || text === '') return undefined;
  const lastApplied = parseObject(text);
  if (lastApplied === undefined || ownValue(lastApplied, 'apiVersion') !== apiVersion) return undefined;
  try {
    checkTyped(live, atom, 'refuse');
    checkTyped(lastApplied, atom, 'refuse');
  } catch (error) {
    if (error instanceof TypedError) return undefined;
    throw error;
  }
  const { modified, added, removed } = compareTyped(lastApplied, live, atom);
  return [modified, added, removed].reduce(subtractFieldSet, fieldsOfValue(lastApplied, atom));
}

/** Keeps the annotation of an object that has one in step with what kubectl applies; it goes where it no longer fits. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  if (!ownValue(annotations, ANNOTATION)) return object;
  const others = Object.entries(annotations).filter(([key]) => key !== ANNOTATION);
  const changed = jsonObject([...others, [ANNOTATION, encodeConfiguration(config)]]);
  const metadata = ownValue(object, 'metadata');
  const kept = annotationBytes(changed) > ANNOTATIONS_BYTES_MAX ? jsonObject(others) : changed;
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations: kept } };
}

function encodeConfiguration(config: JsonObject): string {
  const metadata = ownValue(config, 'metadata');
  const annotations = annotationsOf(config);
  if (!isJsonObject(metadata) || !Object.hasOwn(annotations, ANNOTATION)) return `${encodeSortedJson(config)}\n`;
  const others = jsonObject(Object.entries(annotations).filter(([key]) => key !== ANNOTATION));
  return `${encodeSortedJson({ ...config, metadata: { ...metadata, annotations: others } })}\n`;
}

function annotationBytes(annotations: JsonObject): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    bytes += encoder.encode(key).length + encoder.encode(typeof value === 'string' ? value : '').length;
  return bytes;
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = ownValue(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownValue(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // An annotation is a user's text: one that is no JSON describes nothing.
    return undefined;
  }
}
