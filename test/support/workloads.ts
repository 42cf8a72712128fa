import { createLogger } from '../../src/base/index.ts';
import { startWorkloads } from '../../src/embedded/index.ts';
import type { EmbeddedApi, Workloads } from '../../src/embedded/index.ts';
import type { DeleteOptions, KubeApi, LogOptions, ResourceType } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { startTestApi } from './embedded.ts';
import type { TestApi } from './embedded.ts';
import { ManualTimers } from './manual-timers.ts';

const START_MS = Date.parse('2026-01-02T03:04:05Z');
const PATIENCE_MS = 45_000;
/** So many events of one kind may wait for each other when all of them are late. */
const EVENTS_IN_A_ROW = 20;

function resource(group: string, plural: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  return { group, version: 'v1', plural, kind, namespaced: true, ...more };
}

const workloadTypes = {
  ConfigMap: resource('', 'configmaps', 'ConfigMap'),
  ControllerRevision: resource('apps', 'controllerrevisions', 'ControllerRevision'),
  CronJob: resource('batch', 'cronjobs', 'CronJob'),
  DaemonSet: resource('apps', 'daemonsets', 'DaemonSet'),
  Deployment: resource('apps', 'deployments', 'Deployment'),
  EndpointSlice: resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice'),
  Event: resource('', 'events', 'Event'),
  Endpoints: resource('', 'endpoints', 'Endpoints'),
  HorizontalPodAutoscaler: resource('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { version: 'v2' }),
  Ingress: resource('networking.k8s.io', 'ingresses', 'Ingress'),
  Job: resource('batch', 'jobs', 'Job'),
  Namespace: resource('', 'namespaces', 'Namespace', { namespaced: false }),
  PersistentVolume: resource('', 'persistentvolumes', 'PersistentVolume', { namespaced: false }),
  PersistentVolumeClaim: resource('', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  Pod: resource('', 'pods', 'Pod'),
  PodDisruptionBudget: resource('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  ReplicaSet: resource('apps', 'replicasets', 'ReplicaSet'),
  Service: resource('', 'services', 'Service'),
  ServiceAccount: resource('', 'serviceaccounts', 'ServiceAccount'),
  StatefulSet: resource('apps', 'statefulsets', 'StatefulSet'),
} as const;

export type WorkloadKind = keyof typeof workloadTypes;

/** What a test writes. */
export type Given = Readonly<Record<string, unknown>>;

export interface SeenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The parts of objects that tests look at by name; the rest they match as a whole. */
export interface Seen {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly replicas: number;
    readonly nodeName: string;
    readonly volumeName: string;
    readonly containers: readonly { readonly image: string }[];
  };
  readonly status: {
    readonly conditions?: readonly SeenCondition[];
    readonly replicas?: number;
    readonly availableReplicas?: number;
    readonly podIP: string;
    readonly startTime?: string;
    readonly currentRevision: string;
    readonly updateRevision: string;
    readonly active: readonly { readonly name: string }[];
    readonly containerStatuses: readonly { readonly state: { readonly terminated?: { readonly exitCode: number } } }[];
    readonly loadBalancer: { readonly ingress: readonly { readonly ip: string }[] };
  };
  readonly endpoints: readonly { readonly conditions: { readonly ready: boolean } }[];
  readonly subsets?: readonly { readonly addresses: readonly object[] }[];
}

/** An embedded API with simulated workloads, whose time a test moves. */
export interface WorkloadTest {
  readonly test: TestApi;
  readonly timers: ManualTimers;
  /** Changes since the last time that this was asked. */
  takeWrites(): readonly { readonly type: string; readonly object: Seen }[];
  create(kind: WorkloadKind, object: Given): Promise<Seen>;
  get(kind: WorkloadKind, name: string, namespace?: string): Promise<Seen>;
  /** The only one of its kind. */
  only(kind: WorkloadKind, labelSelector?: string): Promise<Seen>;
  list(kind: WorkloadKind, labelSelector?: string): Promise<readonly Seen[]>;
  merge(kind: WorkloadKind, name: string, body: Given): Promise<Seen>;
  remove(kind: WorkloadKind, name: string, options?: DeleteOptions): Promise<void>;
  /** Waits until nothing changes any more without time going on. */
  settle(): Promise<void>;
  /** Lets time go on, and settles. */
  advance(milliseconds: number): Promise<void>;
  logs(name: string, options?: LogOptions): Promise<string>;
  /** Stops the simulation and starts another on the same API. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkloadTestOptions {
  /** How many turns of the process each event of a watch is late, as over a network. */
  readonly watchTurns?: number;
  /** Pods and claims that are made in all. */
  readonly roomMax?: number;
}

export async function startWorkloadTest({ watchTurns = 0, roomMax }: WorkloadTestOptions = {}): Promise<WorkloadTest> {
  const timers = new ManualTimers();
  const clock = { nowMs: () => START_MS + timers.nowMs() };
  const test = await startTestApi({ clock });
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
  let writes: { type: string; object: Seen }[] = [];
  test.api.onCommit((changes) => void writes.push(...changes.map(({ type, state }) => ({ type, object: seen(state.object) }))));
  const start = (): Promise<Workloads> =>
    startWorkloads({
      api: watchTurns === 0 ? test.api : withLateWatch(test.api, watchTurns),
      clock,
      timers,
      random: () => 0,
      log,
      ...(roomMax !== undefined && { roomMax }),
    });
  let workloads = await start();
  const place = (kind: WorkloadKind, name: string, namespace = 'default') =>
    workloadTypes[kind].namespaced ? { namespace, name } : { name };
  const settle = async (): Promise<void> => {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (let quiet = 0, version = ''; quiet < 5 + watchTurns * EVENTS_IN_A_ROW;) {
      await new Promise((resolve) => setImmediate(resolve));
      await test.api.controllersIdle();
      quiet = workloads.isIdle && version === test.api.resourceVersion ? quiet + 1 : 0;
      version = test.api.resourceVersion;
      if (performance.now() > deadlineMs) throw new Error('the workloads do not settle');
    }
  };
  const list = async (kind: WorkloadKind, labelSelector?: string): Promise<readonly Seen[]> => {
    const inNamespace = workloadTypes[kind].namespaced && { namespace: 'default' };
    const page = await test.api.list(workloadTypes[kind], { ...inNamespace, ...(labelSelector !== undefined && { labelSelector }) });
    return page.items.map(seen);
  };
  return {
    test,
    timers,
    takeWrites() {
      const taken = writes;
      writes = [];
      return taken;
    },
    create: async (kind, object) => seen(await test.api.create(workloadTypes[kind], withType(kind, object))),
    get: async (kind, name, namespace) => seen(await test.api.get(workloadTypes[kind], place(kind, name, namespace))),
    only: async (kind, labelSelector) => {
      const [first, ...others] = await list(kind, labelSelector);
      if (first === undefined || others.length > 0) throw new Error(`there is not exactly one ${kind}`);
      return first;
    },
    list,
    merge: async (kind, name, body) =>
      seen(await test.api.patch(workloadTypes[kind], place(kind, name), { type: 'merge', body: body as JsonObject })),
    remove: async (kind, name, options) => void (await test.api.delete(workloadTypes[kind], place(kind, name), options)),
    settle,
    advance: async (milliseconds) => {
      await settle();
      const untilMs = timers.nowMs() + milliseconds;
      // Timers that fall due on the way set others: each gets its turn at its own time.
      while (timers.nextInMs !== undefined && timers.nowMs() + timers.nextInMs <= untilMs) {
        await timers.advance(timers.nextInMs);
        await settle();
      }
      await timers.advance(untilMs - timers.nowMs());
      await settle();
    },
    logs: async (name, options) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of test.api.logs({ namespace: 'default', name }, options)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
    restart: async () => {
      await workloads.stop();
      workloads = await start();
      await settle();
    },
    stop: async () => {
      await workloads.stop();
      await test.stop();
    },
  };
}

function withLateWatch(api: EmbeddedApi, turns: number): KubeApi {
  return {
    ...api,
    async *watch(type, options) {
      for await (const event of api.watch(type, options)) {
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        yield event;
      }
    },
  };
}

/** Tests say which parts they rely on, and fail where those are missing. */
function seen(object: KubeObject | JsonObject): Seen {
  return object as unknown as Seen;
}

function withType(kind: WorkloadKind, object: Given): KubeObject {
  const { group, version, namespaced } = workloadTypes[kind];
  const metadata = { ...(namespaced && { namespace: 'default' }), ...(object['metadata'] as object) };
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object, metadata } as KubeObject;
}

export interface WorkloadParts {
  readonly annotations?: Given;
  readonly spec?: Given;
}

/** A workload with one container and a label of its own name; the annotations of its pods are given with the rest of their spec. */
export function workload(name: string, { annotations, spec }: WorkloadParts = {}, pod: Given = {}): Given {
  const labels = { app: name };
  const { annotations: podAnnotations, ...podSpec } = pod;
  const template = {
    metadata: { labels, ...(podAnnotations !== undefined && { annotations: podAnnotations }) },
    spec: { containers: [{ name: 'main', image: 'example/web:1', ports: [{ name: 'http', containerPort: 8080 }] }], ...podSpec },
  };
  return { metadata: { name, ...(annotations && { annotations }) }, spec: { selector: { matchLabels: labels }, template, ...spec } };
}

/** A pod template with another image and the same port. */
export function withImage(image: string): { readonly template: Given } {
  return { template: { spec: { containers: [{ name: 'main', image, ports: [{ name: 'http', containerPort: 8080 }] }] } } };
}

export function condition(object: Pick<Seen, 'status'>, type: string): SeenCondition | undefined {
  return object.status.conditions?.find((other) => other.type === type);
}
