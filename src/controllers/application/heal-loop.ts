import { findDifferences, formatKey, type Difference, type ManagedResource } from '../../engine/index.ts';
import type { Application, Operation } from '../../model/index.ts';
import { isJsonArray, isJsonObject, isStatusError, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { ApiError } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';

/** What was healed, field by field, and when, on the clock of the wall. */
export type HealRecord = ReadonlyMap<string, readonly number[]>;

/** Heals that are longer ago say nothing about a fight of now. */
export const healMemoryMs = 3_600_000;
/** Fields of one application that are remembered. */
const fieldsMax = 500;

/** A field that somebody changes back each time it is healed. */
export interface HealLoop {
  readonly resource: ManagedResource;
  readonly path: string;
  readonly count: number;
  /** When it may be healed again. */
  readonly untilMs: number;
}

interface HealedField {
  readonly id: string;
  readonly resource: ManagedResource;
  readonly path: string;
}

/** Every field that a heal would put right. */
function fieldsToHeal(resources: readonly ManagedResource[]): readonly HealedField[] {
  return resources
    .filter(({ desired, comparison }) => desired !== undefined && comparison.modified)
    .flatMap((resource) => differencesOf(resource).map(({ path }) => ({ id: `${formatKey(resource)} ${path}`, resource, path })))
    .slice(0, fieldsMax);
}

function differencesOf({ desired, live, comparison }: ManagedResource, withOwners?: KubeObject): readonly Difference[] {
  return findDifferences({ desired, live: withOwners ?? live, comparison });
}

/** Under this name an operation says which fields it and those before it healed, and when: whoever looks after the application next knows it, too. */
const RECORD_NAME = 'fairway.dev/healed-fields';
/** Of the record as text. What was healed most often is what matters. */
const recordCharactersMax = 8_000;

/** What the last operation says of heals; nothing where it was none. */
export function readHeals({ status }: Application): HealRecord {
  const text = status?.operationState?.operation.info?.find(({ name }) => name === RECORD_NAME)?.value ?? '';
  const record = new Map<string, readonly number[]>();
  for (const [id, times] of Object.entries(parseRecord(text)))
    if (isJsonArray(times))
      record.set(
        id,
        times.filter((time): time is number => typeof time === 'number').map((time) => time * 1_000),
      );
  return record;
}

/** Anybody who may write applications may have written it. */
function parseRecord(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The operation with a record of what it and those before it healed, in seconds. */
export function withHeals(operation: Operation, record: HealRecord): Operation {
  const entries = [...record].sort(([, one], [, other]) => other.length - one.length);
  const kept: string[] = [];
  let length = 2;
  for (const [id, times] of entries) {
    const entry = `${JSON.stringify(id)}:[${times.map((time) => Math.floor(time / 1_000)).join()}]`;
    length += entry.length + 1;
    if (length > recordCharactersMax) break;
    kept.push(entry);
  }
  return { ...operation, info: [{ name: RECORD_NAME, value: `{${kept.join()}}` }] };
}

/** The first field that has been healed too often; undefined where all may be healed. A limit of 0 is none. */
export function findHealLoop(
  record: HealRecord,
  resources: readonly ManagedResource[],
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): HealLoop | undefined {
  if (limit <= 0) return undefined;
  for (const { id, resource, path } of fieldsToHeal(resources)) {
    const times = (record.get(id) ?? []).filter((time) => time > nowMs - healMemoryMs);
    const oldest = times[0];
    if (times.length >= limit && oldest !== undefined) return { resource, path, count: times.length, untilMs: oldest + healMemoryMs };
  }
  return undefined;
}

/** The record with a heal of now; what is too long ago is forgotten. */
export function rememberHeal(record: HealRecord, resources: readonly ManagedResource[], nowMs: number): HealRecord {
  const next = new Map<string, readonly number[]>();
  for (const [id, times] of record) {
    const recent = times.filter((time) => time > nowMs - healMemoryMs);
    if (recent.length > 0) next.set(id, recent);
  }
  for (const { id } of fieldsToHeal(resources)) if (next.size < fieldsMax || next.has(id)) next.set(id, [...(next.get(id) ?? []), nowMs]);
  return next;
}

/** As a condition says it, with the name of whoever wrote the field last where the cluster knows it. */
export async function describeHealLoop({ resource, path, count }: HealLoop, cluster: Cluster, signal: AbortSignal): Promise<string> {
  const { group, kind, namespace, name } = resource;
  const manager = await findManager(resource, path, cluster, signal);
  const what = path === '' ? 'the object' : path;
  const who = manager === undefined ? '' : `, last by "${manager}"`;
  return `self-heal is paused: ${what} of ${group}/${kind} ${namespace}/${name} was changed back ${count} times within an hour${who}`;
}

async function findManager(resource: ManagedResource, path: string, cluster: Cluster, signal: AbortSignal): Promise<string | undefined> {
  const { group, kind, version, namespace, name, live } = resource;
  const type = cluster.cache.typeOf({ group, kind, version });
  if (type === undefined || live === undefined) return undefined;
  try {
    const ref = { name, ...(namespace !== '' && { namespace }) };
    const owned = await cluster.api.get(type, ref, { keepManagedFields: true, signal });
    return differencesOf(resource, owned).find((difference) => difference.path === path)?.manager;
  } catch (error) {
    // Whoever it was is worth a word, not a failure.
    if (isStatusError(error) || error instanceof ApiError) return undefined;
    throw error;
  }
}
