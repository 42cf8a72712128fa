import { ApiError, Code } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';
import { annotations, fieldManager, formatKey, isHook, isSecret, keyOf, kindOf, type ServerPrediction } from '../../engine/index.ts';
import type { Application } from '../../model/index.ts';
import { isStatusError, jsonEquals, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { ApplicationMemory, RememberedPrediction } from './application-memory.ts';
import { findType } from './find-type.ts';
import { isPassing } from './live-trouble.ts';

/** So many objects are tried at once. */
const AT_ONCE = 5;

/** Whether the cluster is asked what applying would change, and whether what others do to the object on the way counts. */
export interface ServerDiffOptions {
  readonly isAsked: boolean;
  readonly includesMutations: boolean;
}

/** As the application says, or else the settings. */
export function serverDiffOptionsOf({ parameters }: Snapshot, { metadata }: Application): ServerDiffOptions {
  const options = (metadata.annotations?.[annotations.compareOptions] ?? '').split(',').map((option) => option.trim());
  const isAsked = options.includes('ServerSideDiff=false') ? false : options.includes('ServerSideDiff=true') || parameters.serverSideDiff;
  return { isAsked, includesMutations: options.includes('IncludeMutationWebhook=true') };
}

interface ToPredict {
  readonly cluster: Cluster;
  readonly desired: readonly KubeObject[];
  readonly live: ReadonlyMap<string, KubeObject>;
  readonly options: ServerDiffOptions;
  readonly memory: ApplicationMemory;
  readonly signal: AbortSignal;
}

/**
 * Asks the cluster what applying each object that is wanted and there would make of it. The cluster is asked once for each version of an
 * object and what is wanted of it. Throws ApiError where it refuses one.
 */
export async function predictOnServer(input: ToPredict): Promise<(desired: KubeObject) => ServerPrediction | undefined> {
  const { cluster, desired, live, options, memory } = input;
  if (!options.isAsked) {
    memory.predictions = new Map();
    return () => undefined;
  }
  const pairs = desired.flatMap((object) => {
    const key = formatKey(keyOf(object));
    const own = live.get(key);
    const kind = kindOf(object);
    // A version that comes with a definition of the same set cannot be asked about before that has been applied.
    const isServed = cluster.cache.typeOf(kind)?.version === kind.version;
    return own === undefined || isHook(object) || !isServed ? [] : [{ key, object, live: own }];
  });
  const before = memory.predictions;
  const now = new Map<string, RememberedPrediction>();
  for (let start = 0; start < pairs.length; start += AT_ONCE) {
    const batch = pairs.slice(start, start + AT_ONCE);
    const found = await Promise.all(batch.map((pair) => predictOne(pair, before.get(pair.key), input)));
    for (const [index, { key }] of batch.entries()) now.set(key, found[index] as RememberedPrediction);
  }
  memory.predictions = now;
  return (object) => now.get(formatKey(keyOf(object)))?.prediction;
}

async function predictOne(
  { object, live }: { readonly object: KubeObject; readonly live: KubeObject },
  known: RememberedPrediction | undefined,
  { cluster, options, signal }: ToPredict,
): Promise<RememberedPrediction> {
  const { includesMutations } = options;
  const version = `${live.metadata.uid}/${live.metadata.resourceVersion}`;
  const isSame =
    known?.version === version &&
    known.prediction.includesMutations === includesMutations &&
    (known.desired === object || jsonEquals(known.desired as unknown as JsonValue, object as unknown as JsonValue));
  if (isSame) return { ...known, desired: object };
  const predicted = await dryRun(cluster, object, signal);
  return { desired: object, version, prediction: { object: predicted, includesMutations } };
}

/** What a server-side apply would leave, with the owners of its fields. */
export async function dryRun(cluster: Cluster, desired: KubeObject, signal: AbortSignal): Promise<KubeObject> {
  const { name = '', namespace = '' } = desired.metadata;
  const type = await findType(cluster, kindOf(desired), signal);
  const ref = { name, ...(namespace !== '' && { namespace }) };
  const patch = { type: 'apply', body: desired as unknown as JsonObject, force: true } as const;
  try {
    return await cluster.api.patch(type, ref, patch, { fieldManager, dryRun: true, keepManagedFields: true, signal });
  } catch (error) {
    if (!isStatusError(error)) throw error;
    // A refusal may quote what it refuses.
    const cause = isSecret(desired) ? 'the cluster refuses it' : error.message;
    throw new ApiError(
      isPassing(error) ? Code.Unavailable : Code.FailedPrecondition,
      `error running server side apply in dryrun mode for resource ${desired.kind}/${name}: ${cause}`,
    );
  }
}
