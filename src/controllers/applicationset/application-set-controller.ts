import { createWorkQueue, type ObjectChange, type WorkObserver, type WorkQueue, type WorkResult } from '../../kube/index.ts';
import { readApplicationSet } from '../../model/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { SettingsChanged } from '../../settings/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { ownerSetOf, readOnce } from './owned-applications.ts';
import { reconcileSet, type SetMemory } from './reconcile.ts';
import { refreshResources } from './refresh-resources.ts';
import { isRollingSync } from './rollout/plan-rollout.ts';
import { refreshAnnotation } from './write-status.ts';

/** Before the keys of sets of which only the list of applications is to be written anew, without asking any generator. */
const resourcesKey = 'resources:';
/** Applications come to be synced and healthy one after the other: the list is written for several at once. */
const resourcesDelayMs = 3_000;

/** How long a stop waits for what is being done. */
const stopLimitMs = 10_000;

export interface ApplicationSetControllerOptions extends ApplicationSetContext {
  readonly observer?: WorkObserver;
  readonly setMeter?: ApplicationSetMeter;
}

/** Whoever counts what is done for application sets. */
interface ApplicationSetMeter {
  /** It was looked at, and its generators were asked: how long that took. */
  onReconciled(set: { readonly namespace: string; readonly name: string }, durationMs: number): void;
}

/** Looks after every application set. */
export interface ApplicationSetController {
  start(): void;
  /** What is under way may end in order, until `lost` is aborted: then it is cut off. */
  stop(lost?: AbortSignal): Promise<void>;
}

export function createApplicationSetController(options: ApplicationSetControllerOptions): ApplicationSetController {
  return new QueueController(options);
}

/** What happens only puts the keys of application sets into a queue; the work reads how things are. */
class QueueController implements ApplicationSetController {
  readonly #context: ApplicationSetContext;
  readonly #meter: ApplicationSetMeter | undefined;
  readonly #queue: WorkQueue;
  readonly #memories = new Map<string, SetMemory>();
  readonly #ends: (() => void)[] = [];

  constructor({ observer, setMeter, ...context }: ApplicationSetControllerOptions) {
    this.#context = context;
    this.#meter = setMeter;
    this.#queue = createWorkQueue({
      work: (key, signal) =>
        key.startsWith(resourcesKey)
          ? refreshResources(context, refOf(key.slice(resourcesKey.length)), signal)
          : this.#reconcile(key, signal),
      concurrency: context.settings.current.parameters.appsetConcurrency,
      log: context.log,
      timers: context.timers,
      ...(observer && { observer }),
    });
  }

  start(): void {
    const { applicationSets, applications, projects, settings } = this.#context;
    this.#ends.push(
      applicationSets.subscribe((change) => this.#onSet(change)),
      applications.subscribe((change) => this.#onApplication(change)),
      projects.subscribe(() => this.#onProject()),
      settings.onChange((event) => this.#onSettings(event)),
    );
    for (const object of applicationSets.values()) this.#queue.add(keyOf(object));
    this.#queue.start();
  }

  async stop(lost?: AbortSignal): Promise<void> {
    for (const end of this.#ends) end();
    const running = await this.#queue.drain(stopLimitMs, lost);
    if (running.length > 0) this.#context.log.warn('work on application sets was cut off', { applicationSets: running });
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<WorkResult> {
    const { applicationSets, timers } = this.#context;
    const ref = refOf(key);
    // One that is gone is nothing to look at, nor to remember.
    if (applicationSets.get(ref) === undefined) {
      this.#memories.delete(key);
      return 'done';
    }
    const startedMs = timers.nowMs();
    try {
      return await reconcileSet(this.#context, ref, this.#memoryOf(key), signal);
    } finally {
      this.#meter?.onReconciled(ref, timers.nowMs() - startedMs);
    }
  }

  #memoryOf(key: string): SetMemory {
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory: SetMemory = { settledGeneration: undefined, owesRefresh: false, askedMs: undefined };
    this.#memories.set(key, memory);
    return memory;
  }

  #onSet({ type, object, previous }: ObjectChange): void {
    const key = keyOf(object);
    // One that was made anew under the same name is another one.
    if (type === 'removed' || (previous !== undefined && previous.metadata.uid !== object.metadata.uid)) this.#memories.delete(key);
    if (type === 'added' || (previous !== undefined && this.#matters(object, previous))) this.#queue.add(key);
  }

  #matters(object: KubeObject, previous: KubeObject): boolean {
    if (this.#isRolling(object.metadata.namespace, object.metadata.name) && differs(rolloutForm(object), rolloutForm(previous)))
      return true;
    if (differs(object['spec'], previous['spec']) || differsInMetadata(object, previous, ['labels', 'finalizers', 'deletionTimestamp']))
      return true;
    // That a refresh is done is our own word.
    const isRefreshed =
      previous.metadata.annotations?.[refreshAnnotation] !== undefined && object.metadata.annotations?.[refreshAnnotation] === undefined;
    return differsInMetadata(object, previous, ['annotations']) && !isRefreshed;
  }

  #onApplication({ type, object, previous }: ObjectChange): void {
    const owner = ownerSetOf(object) ?? (previous && ownerSetOf(previous));
    if (owner === undefined || type === 'added') return;
    const isChanged =
      type === 'removed' ||
      (this.#isRolling(object.metadata.namespace, owner.name) && differs(progressForm(object), progressForm(previous))) ||
      previous === undefined ||
      differs(object['spec'], previous['spec']) ||
      differsInMetadata(object, previous, ['annotations', 'labels', 'finalizers', 'ownerReferences']);
    const key = `${object.metadata.namespace ?? ''}/${owner.name}`;
    if (isChanged) this.#queue.add(key);
    else if (differs(shownForm(object), shownForm(previous))) this.#queue.addAfter(`${resourcesKey}${key}`, resourcesDelayMs);
  }

  #isRolling(namespace = '', name = ''): boolean {
    const object = this.#context.applicationSets.get({ namespace, name });
    return (
      object !== undefined && isRollingSync(readApplicationSet(object), this.#context.settings.current.parameters.appsetProgressiveSyncs)
    );
  }

  /** A project that is there now may be the one that was missing. */
  #onProject(): void {
    this.#addWhere(
      (object) =>
        readApplicationSet(object).status?.conditions?.some(({ type, status }) => type === 'ErrorOccurred' && status === 'True') === true,
    );
  }

  #onSettings({ changes }: SettingsChanged): void {
    if (changes.some(({ part }) => part === 'parameters')) return this.#addWhere(() => true);
    const current = this.#context.settings.current.labelledSecrets;
    const areClusters = changes.some(({ part, name }) => {
      const secret = part === 'labelledSecrets' ? current.get(name) : undefined;
      // Of one that is gone it is not known what it was.
      return part === 'labelledSecrets' && (secret === undefined || secret.type === 'cluster');
    });
    if (areClusters) this.#addWhere((object) => hasClusterGenerator(object['spec'] as JsonValue));
  }

  #addWhere(isMeant: (object: KubeObject) => boolean): void {
    for (const object of this.#context.applicationSets.values()) if (isMeant(object)) this.#queue.add(keyOf(object));
  }
}

/** At any depth. */
function hasClusterGenerator(spec: JsonValue): boolean {
  const { generators } = isJsonObject(spec) ? spec : {};
  if (!isJsonArray(generators)) return false;
  return generators.some((entry) => {
    if (!isJsonObject(entry)) return false;
    return (
      entry['clusters'] !== undefined ||
      [entry['matrix'], entry['merge']].some((block) => block !== undefined && hasClusterGenerator(block))
    );
  });
}

/** What of an application a rolling sync looks at. */
function progressForm(object: KubeObject | undefined): unknown {
  const { sync, health, operationState, reconciledAt } = (object && readOnce(object).status) ?? {};
  const { phase, startedAt, finishedAt } = operationState ?? {};
  return JSON.parse(JSON.stringify({ sync, health: health?.status, phase, startedAt, finishedAt, reconciledAt }));
}

/** What the status of a set shows of an application. */
function shownForm(object: KubeObject): unknown {
  const { sync, health } = readOnce(object).status ?? {};
  return [sync?.status ?? null, health?.status ?? null];
}

function rolloutForm(object: KubeObject): unknown {
  return readApplicationSet(object).status?.applicationStatus;
}

type MetadataField = 'labels' | 'annotations' | 'finalizers' | 'deletionTimestamp' | 'ownerReferences';

function differsInMetadata(one: KubeObject, other: KubeObject, fields: readonly MetadataField[]): boolean {
  return fields.some((field) => differs(one.metadata[field], other.metadata[field]));
}

function differs(one: unknown, other: unknown): boolean {
  if (one === other) return false;
  return canonicalJson((one ?? null) as JsonValue) !== canonicalJson((other ?? null) as JsonValue);
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function refOf(key: string): { readonly namespace: string; readonly name: string } {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
