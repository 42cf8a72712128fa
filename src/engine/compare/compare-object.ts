import { builtinDefaults, builtinSchema, isJsonObject, jsonEquals, setDefaults } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, Schema } from '../../objects/index.ts';
import { annotations, withAnnotation } from '../annotations.ts';
import { groupOf } from '../resource-key.ts';
import { usesServerSideApply } from '../sync/sync-options.ts';
import { canonicalQuantities, withoutNulls, withoutZeros } from './canonical-value.ts';
import { comparePredicted, type ServerPrediction } from './compare-predicted.ts';
import type { CompareRules } from './compare-rules.ts';
import { lastAppliedOf, normalizeObject } from './normalize-object.ts';
import { withoutOwnedFields } from './owned-fields.ts';
import { predictClientSide, predictServerSide } from './predict-live.ts';

export interface ObjectToCompare {
  readonly desired: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  /** Of the cluster; without it what is known of built-in kinds is used. */
  readonly schema?: Schema | undefined;
  readonly rules: CompareRules;
  /** Where the cluster was asked. */
  readonly onServer?: ServerPrediction | undefined;
}

export interface ObjectComparison {
  /** Whether a sync would change the live object. False for one that is only live: it would be deleted, not changed. */
  readonly modified: boolean;
  /** The live object without what does not count; undefined where there is none. */
  readonly normalizedLive: KubeObject | undefined;
  /** The live object as a sync would leave it; undefined where nothing is wanted. */
  readonly predictedLive: KubeObject | undefined;
}

/** Compares what is wanted with what is there. */
export function compareObject({ desired, live, schema, rules, onServer }: ObjectToCompare): ObjectComparison {
  if (desired === undefined) return { modified: false, normalizedLive: live && normalizeObject(live, rules), predictedLive: undefined };
  if (live === undefined) {
    const target = withoutLastApplied(normalizeObject(desired, rules));
    return { modified: true, normalizedLive: undefined, predictedLive: target };
  }
  if (onServer !== undefined) return comparePredicted(live, onServer, rules);
  const { managedFields } = live.metadata;
  // After both are written in one way: a Secret's data has two.
  const counted = withoutOwnedFields(normalizeObject(desired, rules), normalizeObject(live, rules), { rules, managedFields });
  const target = withoutLastApplied(counted.desired);
  const builtin = builtinSchema(desired.apiVersion, desired.kind);
  const known = schema ?? builtin;
  const isBuiltin = builtin !== undefined;
  const complete = (object: JsonObject): JsonObject =>
    isBuiltin ? completeBuiltin(object, desired, known) : completeCustom(object, known);
  const current = toJson(counted.live, known);
  const input = {
    desired: toJson(withoutNamespace(target), known),
    live: current,
    lastApplied: lastAppliedFor(live, rules, known),
    schema: known,
    isBuiltin,
  };
  const predicted = usesServerSideApply(desired, rules.syncOptions)
    ? predictServerSide({ ...input, desired: toJson(target, known) }, managedFields)
    : predictClientSide(input);
  const [normalizedLive, predictedLive] = [withoutRecord(complete(current)), withoutRecord(complete(predicted))];
  return {
    modified: !jsonEquals(normalizedLive, predictedLive),
    normalizedLive: normalizedLive as unknown as KubeObject,
    predictedLive: predictedLive as unknown as KubeObject,
  };
}

/** With the amounts in one spelling, so that only other amounts are other values. */
function toJson(object: KubeObject, schema: Schema | undefined): JsonObject {
  return canonicalQuantities(object as unknown as JsonValue, schema) as JsonObject;
}

/** What the API would store: defaults are set, and what means nothing is gone. */
function completeBuiltin(object: JsonObject, desired: KubeObject, schema: Schema | undefined): JsonObject {
  const setBuiltinDefaults = builtinDefaults(groupOf(desired), desired.kind);
  return withoutZeros(setBuiltinDefaults?.(withoutZeros(object, schema)) ?? object, schema);
}

function completeCustom(object: JsonObject, schema: Schema | undefined): JsonObject {
  const stored = withoutNulls(object, schema);
  return schema === undefined ? stored : setDefaults(stored, schema);
}

function lastAppliedFor(live: KubeObject, rules: CompareRules, schema: Schema | undefined): JsonObject | undefined {
  const record = lastAppliedOf(live);
  return record && toJson(withoutNamespace(withoutLastApplied(normalizeObject(record, rules))), schema);
}

/** The record of the last apply is no part of what is applied. */
function withoutLastApplied(object: KubeObject): KubeObject {
  return withAnnotation(object, annotations.lastApplied, undefined);
}

/** The namespace is where an object is, not what it is; an old record may lack it. */
function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _place, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The record stays in what is shown of an object only where both sides have the same one, which is always: it is left out of both. */
function withoutRecord(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return object;
  const kept = Object.entries(metadata['annotations']).filter(([name]) => name !== annotations.lastApplied);
  const { annotations: _all, ...rest } = metadata;
  return { ...object, metadata: kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) } };
}
