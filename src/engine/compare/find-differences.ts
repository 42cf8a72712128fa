import { decodeFieldsV1, isJsonArray, isJsonObject, jsonEquals, valueAt } from '../../objects/index.ts';
import type { FieldSet, JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { keyOf } from '../resource-key.ts';
import type { ObjectComparison } from './compare-object.ts';
import type { IgnoreRule } from './compare-rules.ts';
import { lastAppliedOf } from './normalize-object.ts';
import { fieldManager } from './predict-live.ts';

/**
 * Why a field differs: the source says something new; somebody changed the live object; a sync would create the object; it is live and no
 * longer wanted; or it cannot be told.
 */
export type DifferenceCause = 'SourceChanged' | 'LiveChanged' | 'Missing' | 'NotWanted' | 'Unknown';

/** One field of a live object that a sync would change. */
export interface Difference {
  /** A JSON pointer; empty for the whole object. */
  readonly path: string;
  readonly cause: DifferenceCause;
  /** Who last wrote the field, where the object says so. */
  readonly manager?: string;
  /** The rule that would silence the difference. */
  readonly ignoreRule: IgnoreRule;
}

/** More than this nobody reads. */
const DIFFERENCES_MAX = 100;

export interface DifferencesInput {
  readonly desired: KubeObject | undefined;
  /** With its `managedFields` where the cause is to name a manager. */
  readonly live: KubeObject | undefined;
  readonly comparison: ObjectComparison;
}

/** What differs between an object as it is and as a sync would leave it, field by field, and why. Holds no values, so no secrets. */
export function findDifferences({ desired, live, comparison }: DifferencesInput): readonly Difference[] {
  const object = desired ?? live;
  if (object === undefined) return [];
  const { group, kind, namespace, name } = keyOf(object);
  const ruleFor = (pointer: string): IgnoreRule => ({
    group,
    kind,
    name,
    ...(namespace !== '' && { namespace }),
    jsonPointers: pointer === '' ? [] : [pointer],
  });
  if (live === undefined) return [{ path: '', cause: 'Missing', ignoreRule: ruleFor('') }];
  if (desired === undefined) return [{ path: '', cause: 'NotWanted', ignoreRule: ruleFor('') }];
  const paths: (readonly string[])[] = [];
  collectPaths(comparison.normalizedLive as JsonValue | undefined, comparison.predictedLive as JsonValue | undefined, [], paths);
  const record = lastAppliedOf(live);
  return paths.map((path) => {
    const manager = findManager(live, path);
    const cause = causeOf(path, { desired, record, manager });
    const pointer = toPointer(path);
    return { path: pointer, cause, ...(manager !== undefined && { manager }), ignoreRule: ruleFor(pointer) };
  });
}

/** The deepest paths at which two values differ; a list of another length differs as a whole. */
function collectPaths(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly string[],
  found: (readonly string[])[],
): void {
  if (found.length >= DIFFERENCES_MAX || jsonEquals(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      collectPaths(ownOf(before, key), ownOf(after, key), [...path, key], found);
  } else if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) collectPaths(item, after[index], [...path, String(index)], found);
  } else {
    found.push(path);
  }
}

interface CauseInput {
  readonly desired: KubeObject;
  readonly record: KubeObject | undefined;
  readonly manager: string | undefined;
}

function causeOf(path: readonly string[], { desired, record, manager }: CauseInput): DifferenceCause {
  if (record !== undefined) {
    const [applied, wanted] = [record, desired].map((object) => walk(object as unknown as JsonObject, path));
    return jsonEquals(applied, wanted) ? 'LiveChanged' : 'SourceChanged';
  }
  if (manager === undefined) return 'Unknown';
  return isOurs(manager) ? 'SourceChanged' : 'LiveChanged';
}

/** Fields that a sync wrote, by this control plane or by hand in its place. */
function isOurs(manager: string): boolean {
  return manager === fieldManager || manager === 'kubectl-client-side-apply';
}

/** The value at a path through objects and lists. */
function walk(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const step of path) current = isJsonArray(current) ? current[Number(step)] : valueAt(current, [step]);
  return current;
}

/** The manager of the field at a path, or of the nearest field above it; the last one written where several share it. */
function findManager(live: KubeObject, path: readonly string[]): string | undefined {
  let best: { readonly depth: number; readonly time: string; readonly manager: string } | undefined;
  for (const entry of live.metadata.managedFields ?? []) {
    const [manager, time] = [entry['manager'], entry['time']];
    if (typeof manager !== 'string') continue;
    const depth = depthOf(entry['fieldsV1'], path);
    const at = typeof time === 'string' ? time : '';
    if (depth > 0 && (best === undefined || depth > best.depth || (depth === best.depth && at > best.time)))
      best = { depth, time: at, manager };
  }
  return best?.manager;
}

/** How far down a path a manager owns it; list elements are known by their keys, so a path ends at a list. */
function depthOf(fields: JsonValue | undefined, path: readonly string[]): number {
  let set: FieldSet;
  try {
    set = decodeFieldsV1(fields);
  } catch {
    // Entries of a newer writer may not be readable; they name nobody then.
    return 0;
  }
  let depth = 0;
  for (const step of path) {
    const node = set.get(`f:${step}`);
    if (node === undefined) break;
    depth += 1;
    set = node.children;
  }
  return depth;
}

function ownOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function toPointer(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
