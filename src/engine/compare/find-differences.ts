import { isJsonArray, isJsonObject, jsonEquals, valueAt } from '../../objects/index.ts';
import type { FieldNode, FieldSet, JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { keyOf } from '../resource-key.ts';
import type { ObjectComparison } from './compare-object.ts';
import type { IgnoreRule } from './compare-rules.ts';
import { lastAppliedOf } from './normalize-object.ts';
import { fieldManager } from './predict-live.ts';
import { readFields } from './read-fields.ts';

/**
 * Why a field differs: the source says something new; somebody changed the live object; the API set it to something because the source says
 * nothing there; the API or its admission changed it while it was written; a sync would create the object; it is live and no longer wanted;
 * or it cannot be told.
 */
export type DifferenceCause = 'SourceChanged' | 'LiveChanged' | 'Defaulted' | 'Admission' | 'Missing' | 'Pruned' | 'Unknown';

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
  if (desired === undefined) return [{ path: '', cause: 'Pruned', ignoreRule: ruleFor('') }];
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
  const wanted = walk(desired as unknown as JsonObject, path);
  const isOwn = manager !== undefined && isOurs(manager);
  if (record !== undefined) {
    if (!jsonEquals(walk(record as unknown as JsonObject, path), wanted)) return 'SourceChanged';
    // What we wrote last is what is wanted, and yet something else is there, in our name.
    if (isOwn) return isNothing(wanted) ? 'Defaulted' : 'Admission';
    return 'LiveChanged';
  }
  if (manager === undefined) return 'Unknown';
  return isOwn ? 'SourceChanged' : 'LiveChanged';
}

function isNothing(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
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
    const depth = depthOf(readFields(entry['fieldsV1']), path, live as unknown as JsonObject);
    const at = typeof time === 'string' ? time : '';
    if (depth > 0 && (best === undefined || depth > best.depth || (depth === best.depth && at > best.time)))
      best = { depth, time: at, manager };
  }
  return best?.manager;
}

/** How far down a path a manager owns it. Elements of lists are known by their keys or values. */
function depthOf(fields: FieldSet, path: readonly string[], live: JsonValue): number {
  let [set, value, depth]: [FieldSet, JsonValue | undefined, number] = [fields, live, 0];
  for (const step of path) {
    const next: JsonValue | undefined = isJsonArray(value) ? value[Number(step)] : valueAt(value, [step]);
    const node = isJsonArray(value) ? findElement(set, next) : set.get(`f:${step}`);
    if (node === undefined) break;
    depth += 1;
    set = node.children;
    value = next;
  }
  return depth;
}

function findElement(set: FieldSet, item: JsonValue | undefined): FieldNode | undefined {
  return [...set.values()].find(({ element }) => {
    if (element.kind === 'value') return jsonEquals(element.value, item);
    return element.kind === 'key' && isJsonObject(item) && element.fields.every(([name, value]) => jsonEquals(ownOf(item, name), value));
  });
}

function ownOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function toPointer(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
