import type { Clock, Logger, Timers } from '../../base/index.ts';
import { isStatusError } from '../../objects/index.ts';
import { createReflector, createWorkQueue } from '../../kube/index.ts';
import type { KubeApi, Reflector, WorkResult } from '../../kube/index.ts';
import type { LogSource } from '../embedded-api.ts';
import { createBalancerAddresses, createPodAddresses } from './address-pool.ts';
import { reconcilers } from './reconcilers.ts';
import { createEventRecorder } from './events/event-recorder.ts';
import { tellNoRoom } from './events/tell-pods.ts';
import { createLogSource } from './logs/create-log-source.ts';
import { seedCluster } from './node.ts';
import { ObjectCache } from './object-cache.ts';
import { Room, ROOM_MAX } from './room.ts';
import { textAt } from '../json-path.ts';
import { keyOf } from './view.ts';
import type { View } from './view.ts';
import { keysToWake } from './wake.ts';
import { isWorkloadKind, workloadTypes } from './workload-types.ts';
import type { WorkloadKind } from './workload-types.ts';
import type { World } from './world.ts';

const CONCURRENCY = 16;
const DRAIN_MS = 5_000;
/** After a refusal that says that something has changed in between: the watch is about to tell what. */
const STALE_RETRY_MS = 20;
/** After a refusal that only time can lift, as while a namespace goes. */
const REFUSED_RETRY_MS = 1_000;
/** Until what others are making is there, or was refused. */
const ROOM_RETRY_MS = 1_000;
const BACK_OFF = { firstMs: 100, maxMs: 30_000 };

/** Of these kinds only the objects of one name matter. */
const NAMED: Partial<Record<WorkloadKind, string>> = { ConfigMap: 'kube-root-ca.crt', ServiceAccount: 'default' };
const UNWATCHED: ReadonlySet<WorkloadKind> = new Set(['StorageClass', 'Node']);

export interface WorkloadOptions {
  /** Where it can take a source of logs, it gets one. */
  readonly api: KubeApi & { setLogSource?(source: LogSource): void };
  readonly clock: Clock;
  /** From 0 up to, and without, 1. */
  readonly random?: () => number;
  readonly log: Logger;
  readonly timers?: Timers;
  /** Pods and claims that are made in all; 10,000 unless given. */
  readonly roomMax?: number;
}

/** The running simulation. */
export interface Workloads {
  /** True while nothing is being worked on; what waits for a time does not count. */
  readonly isIdle: boolean;
  readonly logs: LogSource;
  stop(): Promise<void>;
}

/**
 * Runs the controllers that give workloads a life without containers: Deployments get ReplicaSets and pods that become ready, Jobs end,
 * Services get endpoints. They know the API only from outside, as the real ones do.
 */
export async function startWorkloads(options: WorkloadOptions): Promise<Workloads> {
  const { api, clock, log, timers, random, roomMax = ROOM_MAX } = options;
  const pools = { podAddresses: createPodAddresses(), balancerAddresses: createBalancerAddresses() };
  const cache: ObjectCache = new ObjectCache((now, before) => {
    trackAddress(pools, now, before);
    trackRoom(room, now, before);
    for (const key of keysToWake(cache, now, before)) if (isReconciled(key)) queue.add(key);
  });
  const events = createEventRecorder({ api, clock, log });
  const room: Room = new Room({
    max: roomMax,
    count: () => cache.count('Pod') + cache.count('PersistentVolumeClaim'),
    onShort: (owner) => tellNoRoom({ events, room }, owner),
    wake: (key) => queue.add(key),
    wakeLater: (key) => queue.addAfter(key, ROOM_RETRY_MS),
  });
  const world: World = { api, clock, log, cache, events, room, ...pools };
  const queue = createWorkQueue({
    work: (key) => work(world, key),
    groupOf: (key) => key.slice(0, key.indexOf(' ')),
    concurrency: CONCURRENCY,
    backOff: BACK_OFF,
    log,
    ...(timers && { timers }),
    ...(random && { random }),
  });
  await seedCluster(world);
  const kinds = Object.keys(workloadTypes).filter((kind) => isWorkloadKind(kind) && !UNWATCHED.has(kind)) as WorkloadKind[];
  const reflectors = kinds.map((kind) => followKind(world, kind));
  for (const reflector of reflectors) reflector.start();
  await Promise.all(reflectors.map((reflector) => reflector.whenSynced()));
  queue.start();
  const logs = createLogSource({ cache, clock, ...(timers && { timers }) });
  api.setLogSource?.(logs);
  return {
    get isIdle() {
      return queue.counts.ready === 0 && queue.counts.running === 0 && events.pending === 0;
    },
    logs,
    stop: async () => {
      await queue.drain(DRAIN_MS);
      await events.flushed();
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}

function followKind({ api, cache, log, clock }: World, kind: WorkloadKind): Reflector<undefined> {
  const name = NAMED[kind];
  return createReflector({
    api,
    type: workloadTypes[kind],
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    log,
    clock,
    onEvent: (event) => {
      if (event.type === 'added' || event.type === 'changed') cache.put(kind, event.object);
      if (event.type !== 'removed') return;
      const [namespace = '', only] = event.key.includes('/') ? event.key.split('/') : ['', event.key];
      cache.remove(kind, namespace, only ?? '', event.object);
    },
  });
}

function trackAddress(
  { podAddresses, balancerAddresses }: Pick<World, 'podAddresses' | 'balancerAddresses'>,
  now: View | undefined,
  before: View | undefined,
): void {
  if (before !== undefined && now?.uid !== before.uid) {
    podAddresses.release(before.uid);
    balancerAddresses.release(before.uid);
  }
  const address = now?.kind === 'Pod' ? textAt(now.status, 'podIP') : '';
  if (now !== undefined && address !== '') podAddresses.claim(now.uid, address);
}

function trackRoom(room: Room, now: View | undefined, before: View | undefined): void {
  if (before === undefined || now?.uid === before.uid) return;
  room.forget(before.uid);
  if (now === undefined && (before.kind === 'Pod' || before.kind === 'PersistentVolumeClaim')) room.freed();
}

function isReconciled(key: string): boolean {
  const kind = key.slice(0, key.indexOf(' '));
  return isWorkloadKind(kind) && reconcilers[kind] !== undefined;
}

async function work(world: World, key: string): Promise<WorkResult> {
  const [kind = '', path = ''] = key.split(' ');
  const [namespace = '', name = ''] = path.split('/');
  const view = isWorkloadKind(kind) ? world.cache.get(kind, namespace, name) : undefined;
  const reconcile = view && reconcilers[view.kind];
  if (view === undefined || reconcile === undefined) return 'done';
  try {
    return await reconcile(world, view);
  } catch (error) {
    if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound') || isStatusError(error, 'AlreadyExists'))
      return { requeueAfterMs: STALE_RETRY_MS };
    if (!isStatusError(error, 'Forbidden')) throw error;
    world.log.debug('A simulated workload may not be changed now', { key: keyOf(view), error });
    return { requeueAfterMs: REFUSED_RETRY_MS };
  }
}
