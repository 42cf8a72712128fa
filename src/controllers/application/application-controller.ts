import type { Cluster, LiveChange } from '../../clusters/index.ts';
import { annotations, linksOf } from '../../engine/index.ts';
import { createWorkQueue, type ObjectChange, type WorkObserver, type WorkQueue, type WorkQueueCounts } from '../../kube/index.ts';
import { parseInstanceName, readApplication, readProject } from '../../model/index.ts';
import { canonicalJson, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { SettingChange, SettingsChanged } from '../../settings/index.ts';
import { hasOnlyNewVersion } from '../clusters/cluster-labels.ts';
import { createStatusChanges, type StatusChanges } from '../events/index.ts';
import { createMemory, requestRefresh, type ApplicationMemory } from './application-memory.ts';
import { resolveCluster } from './check-spec.ts';
import type { ControllerContext } from './controller-context.ts';
import type { RefreshLevel } from './plan-refresh.ts';
import { reconcile } from './reconcile.ts';

/** How long a stop waits for what is being done. */
const stopLimitMs = 10_000;

/** Settings that change what a comparison finds. */
const comparedParts: ReadonlySet<string> = new Set(['general', 'resourceOverrides', 'labelledSecrets', 'parameters']);

export interface ApplicationControllerOptions extends ControllerContext {
  readonly observer?: WorkObserver;
  /** What is done when it is an application's turn; it is looked after unless told otherwise. */
  readonly reconcile?: typeof reconcile;
}

export interface ApplicationRef {
  readonly namespace: string;
  readonly name: string;
}

export interface RefreshOptions {
  readonly sinceMs: number;
  readonly isFirst: boolean;
}

/** Looks after every application. */
export interface ApplicationController {
  readonly counts: WorkQueueCounts;
  /** Looks at an application anew, with revisions that were asked for after `sinceMs`; before the others where somebody waits for it. */
  refresh(ref: ApplicationRef, options: RefreshOptions): void;
  start(): void;
  /** What is under way may end in order, until `lost` is aborted: then it is cut off. */
  stop(lost?: AbortSignal): Promise<void>;
}

export function createApplicationController(options: ApplicationControllerOptions): ApplicationController {
  return new QueueController(options);
}

/** What happens only puts the keys of applications into a queue; the work reads how things are. */
class QueueController implements ApplicationController {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #statusChanges: StatusChanges;
  readonly #memories = new Map<string, ApplicationMemory>();
  readonly #followed = new Map<Cluster, () => void>();
  readonly #ends: (() => void)[] = [];

  constructor({ observer, reconcile: work = reconcile, ...context }: ApplicationControllerOptions) {
    this.#context = context;
    this.#statusChanges = createStatusChanges(context);
    const working = { ...context, statusChanges: this.#statusChanges };
    const { statusProcessors } = context.settings.current.parameters;
    this.#queue = createWorkQueue({
      work: async (key, signal) => {
        const ref = refOf(key);
        try {
          return await work(working, ref, this.#memoryOf(key), signal);
        } finally {
          // A turn that was still to come, or under way, when the application went must leave no memory behind.
          if (context.applications.get(ref) === undefined) this.#memories.delete(key);
        }
      },
      concurrency: statusProcessors,
      // One cluster that does not answer must not hold up the applications of the others.
      groupOf: (key) => this.#destinationOf(key),
      concurrencyPerGroup: Math.max(1, Math.ceil(statusProcessors / 2)),
      log: context.log,
      timers: context.timers,
      ...(observer && { observer }),
    });
  }

  get counts(): WorkQueueCounts {
    return this.#queue.counts;
  }

  start(): void {
    const { applications, projects, clusters, settings } = this.#context;
    this.#ends.push(
      applications.subscribe((change) => this.#onApplication(change)),
      projects.subscribe(({ object }) => this.#onProject(object.metadata.name ?? '')),
      clusters.onChange(() => this.#onClusters()),
      settings.onChange((event) => this.#onSettings(event)),
    );
    this.#follow();
    for (const object of applications.values()) this.#queue.add(keyOf(object));
    this.#queue.start();
  }

  async stop(lost?: AbortSignal): Promise<void> {
    for (const end of [...this.#ends, ...this.#followed.values()]) end();
    const running = await this.#queue.drain(stopLimitMs, lost);
    this.#statusChanges.stop();
    if (running.length > 0) this.#context.log.warn('work on applications was cut off', { applications: running });
  }

  refresh({ namespace, name }: ApplicationRef, { sinceMs, isFirst }: RefreshOptions): void {
    if (this.#context.applications.get({ namespace, name }) === undefined) return;
    const key = `${namespace}/${name}`;
    requestRefresh(this.#memoryOf(key), 'fresh-revision', sinceMs);
    if (isFirst) this.#queue.addFirst(key);
    else this.#queue.add(key);
  }

  #memoryOf(key: string): ApplicationMemory {
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = createMemory();
    this.#memories.set(key, memory);
    return memory;
  }

  #request(key: string, level: RefreshLevel): void {
    requestRefresh(this.#memoryOf(key), level, this.#context.clock.nowMs());
    this.#queue.add(key);
  }

  #requestAll(level: RefreshLevel, isMeant: (object: KubeObject) => boolean = () => true): void {
    for (const object of this.#context.applications.values()) if (isMeant(object)) this.#request(keyOf(object), level);
  }

  #onApplication({ type, object, previous }: ObjectChange): void {
    const key = keyOf(object);
    // An application that was made anew under the same name is another one.
    if (type === 'removed' || (previous !== undefined && previous.metadata.uid !== object.metadata.uid)) this.#memories.delete(key);
    if (type === 'removed') return;
    if (previous?.metadata.generation !== object.metadata.generation) this.#memoryOf(key).specSeenMs = this.#context.clock.nowMs();
    if (previous !== undefined && isSeenOtherwise(previous, object)) this.#request(key, 'known-revision');
    else this.#queue.add(key);
  }

  #onProject(name: string): void {
    this.#requestAll('same-revision', (object) => (readApplication(object).spec.project || 'default') === name);
  }

  /** What else may be new of a cluster, its Secret says, and that is a setting. */
  #onClusters(): void {
    if (this.#follow()) this.#requestAll('same-revision');
  }

  #onSettings({ previous, current, changes }: SettingsChanged): void {
    const isCompared = ({ part, name }: SettingChange): boolean =>
      comparedParts.has(part) &&
      !(part === 'labelledSecrets' && hasOnlyNewVersion(previous.labelledSecrets.get(name), current.labelledSecrets.get(name)));
    if (changes.some(isCompared)) this.#requestAll('known-revision');
  }

  /** Listens to every cluster there is, and to none that is gone. Returns whether these are others now. */
  #follow(): boolean {
    const present = new Set(this.#context.clusters.list());
    const areSame = present.size === this.#followed.size && [...present].every((cluster) => this.#followed.has(cluster));
    for (const [cluster, end] of this.#followed) {
      if (present.has(cluster)) continue;
      end();
      this.#followed.delete(cluster);
    }
    for (const cluster of present) {
      if (!this.#followed.has(cluster))
        this.#followed.set(
          cluster,
          cluster.cache.onChange((change) => this.#onLive(cluster, change)),
        );
    }
    return !areSame;
  }

  #onLive(cluster: Cluster, { instances, namespaces, kinds }: LiveChange): void {
    for (const instance of instances.keys()) {
      const ref = parseInstanceName(instance, this.#context.namespace);
      if (this.#context.applications.get(ref) !== undefined) this.#request(`${ref.namespace}/${ref.name}`, 'same-revision');
    }
    if (kinds) return this.#requestAll('same-revision', (object) => resolveCluster(this.#context, readApplication(object)) === cluster);
    if (namespaces.size > 0) this.#onOrphans(cluster, namespaces);
  }

  /** What belongs to nobody concerns those in whose namespace it is, where their project wants to be warned. */
  #onOrphans(cluster: Cluster, namespaces: ReadonlySet<string>): void {
    const warned = new Set<string>();
    for (const object of this.#context.projects.values())
      if (readProject(object).spec.orphanedResources?.warn === true) warned.add(object.metadata.name ?? '');
    if (warned.size === 0) return;
    this.#requestAll('same-revision', (object) => {
      const { spec } = readApplication(object);
      if (!namespaces.has(spec.destination.namespace ?? '') || !warned.has(spec.project || 'default')) return false;
      return resolveCluster(this.#context, readApplication(object)) === cluster;
    });
  }

  #destinationOf(key: string): string {
    const object = this.#context.applications.get(refOf(key));
    if (object === undefined) return '';
    const application = readApplication(object);
    const { server = '', name = '' } = application.spec.destination;
    // A cluster has a name, an address, and that with slashes at its end: whoever writes it in two ways must not get the room of two.
    const cluster = resolveCluster(this.#context, application);
    return typeof cluster === 'string' ? server || name : cluster.server;
  }
}

/**
 * Whether somebody changed what the next look at an application depends on, beside its sources and what they are compared with: what its policy
 * says begins at once, and a project that does not allow it is told at once.
 */
function isSeenOtherwise(previous: KubeObject, next: KubeObject): boolean {
  const isSame = previous['spec'] === next['spec'] && previous.metadata.annotations === next.metadata.annotations;
  return !isSame && describeTerms(previous) !== describeTerms(next);
}

function describeTerms(object: KubeObject): string {
  const { project, syncPolicy = {} } = readApplication(object).spec;
  const options = object.metadata.annotations?.[annotations.compareOptions] ?? '';
  return canonicalJson([project || 'default', syncPolicy, options, linksOf(object)] as unknown as JsonValue);
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function refOf(key: string): ApplicationRef {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
