import { createLogger } from '../../src/base/index.ts';
import { startWorkloads } from '../../src/embedded/workloads/index.ts';
import type { Workloads } from '../../src/embedded/workloads/index.ts';
import { workloadTypes } from '../../src/embedded/workloads/workload-types.ts';
import type { WorkloadKind } from '../../src/embedded/workloads/workload-types.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { startTestApi } from './embedded.ts';
import type { TestApi } from './embedded.ts';
import { ManualTimers } from './manual-timers.ts';

const START_MS = Date.parse('2026-01-02T03:04:05Z');
const PATIENCE_MS = 45_000;

/** An object as loosely as a test likes to look at it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

/** An embedded API with simulated workloads, whose time a test moves. */
export interface WorkloadTest {
  readonly test: TestApi;
  readonly timers: ManualTimers;
  readonly workloads: Workloads;
  /** Changes since the last time that this was asked. */
  takeWrites(): readonly { readonly type: string; readonly object: Loose }[];
  create(kind: WorkloadKind, object: Loose): Promise<Loose>;
  get(kind: WorkloadKind, name: string, namespace?: string): Promise<Loose>;
  list(kind: WorkloadKind, labelSelector?: string): Promise<Loose[]>;
  merge(kind: WorkloadKind, name: string, body: Loose): Promise<Loose>;
  remove(kind: WorkloadKind, name: string, options?: Loose): Promise<void>;
  /** Waits until nothing changes any more without time going on. */
  settle(): Promise<void>;
  /** Lets time go on, and settles. */
  advance(milliseconds: number): Promise<void>;
  logs(name: string, options?: Loose): Promise<string>;
  stop(): Promise<void>;
}

export async function startWorkloadTest(): Promise<WorkloadTest> {
  const timers = new ManualTimers();
  const clock = { nowMs: () => START_MS + timers.nowMs() };
  const test = await startTestApi({ clock });
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
  let writes: { type: string; object: Loose }[] = [];
  test.api.onCommit((changes) => void writes.push(...changes.map(({ type, state }) => ({ type, object: state.object }))));
  const workloads = await startWorkloads({ api: test.api, clock, timers, random: () => 0, log });
  const place = (kind: WorkloadKind, name: string, namespace = 'default') =>
    workloadTypes[kind].namespaced ? { namespace, name } : { name };
  const settle = async (): Promise<void> => {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (let quiet = 0, version = ''; quiet < 5;) {
      await new Promise((resolve) => setImmediate(resolve));
      await test.api.controllersIdle();
      quiet = workloads.isIdle && version === test.api.resourceVersion ? quiet + 1 : 0;
      version = test.api.resourceVersion;
      if (performance.now() > deadlineMs) throw new Error('the workloads do not settle');
    }
  };
  return {
    test,
    timers,
    workloads,
    takeWrites() {
      const taken = writes;
      writes = [];
      return taken;
    },
    create: (kind, object) => test.api.create(workloadTypes[kind], withType(kind, object)),
    get: (kind, name, namespace) => test.api.get(workloadTypes[kind], place(kind, name, namespace)),
    list: async (kind, labelSelector) => [
      ...(
        await test.api.list(workloadTypes[kind], {
          ...(workloadTypes[kind].namespaced && { namespace: 'default' }),
          ...(labelSelector !== undefined && { labelSelector }),
        })
      ).items,
    ],
    merge: (kind, name, body) => test.api.patch(workloadTypes[kind], place(kind, name), { type: 'merge', body }),
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
    stop: async () => {
      await workloads.stop();
      await test.stop();
    },
  };
}

function withType(kind: WorkloadKind, object: Loose): KubeObject {
  const { group, version, namespaced } = workloadTypes[kind];
  const metadata = { ...(namespaced && { namespace: 'default' }), ...object.metadata };
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object, metadata };
}

/** A workload with one container and a label of its own name. */
export function workload(name: string, more: Loose = {}, pod: Loose = {}): Loose {
  const labels = { app: name };
  const { annotations, ...podSpec } = pod;
  const template = {
    metadata: { labels, ...(annotations && { annotations }) },
    spec: { containers: [{ name: 'main', image: 'example/web:1', ports: [{ name: 'http', containerPort: 8080 }] }], ...podSpec },
  };
  return {
    metadata: { name, ...(more.annotations && { annotations: more.annotations }) },
    spec: { selector: { matchLabels: labels }, template, ...more.spec },
  };
}

export function condition(object: Loose, type: string): Loose {
  return object.status?.conditions?.find((other: Loose) => other.type === type);
}
