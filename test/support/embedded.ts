import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/base/index.ts';
import { openEmbeddedApi } from '../../src/embedded/index.ts';
import type { EmbeddedApi, EmbeddedOptions } from '../../src/embedded/index.ts';
import type { ResourceType } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';

/** A clock that stands still until it is told to go on. */
export interface TestClock {
  nowMs(): number;
  advance(milliseconds: number): void;
}

export function createTestClock(startMs = Date.parse('2026-01-02T03:04:05Z')): TestClock {
  let now = startMs;
  return {
    nowMs: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

export interface TestApi {
  readonly api: EmbeddedApi;
  readonly file: string;
  readonly clock: TestClock;
  /** Closes the API and opens the same file again. */
  reopen(options?: Partial<EmbeddedOptions>): Promise<EmbeddedApi>;
  stop(): Promise<void>;
}

/** An embedded API on a file of its own. */
export async function startTestApi(options: Partial<EmbeddedOptions> = {}): Promise<TestApi> {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-embedded-'));
  const file = join(folder, 'home.db');
  const clock = createTestClock();
  const log = createLogger({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
  const open = (more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedApi> => openEmbeddedApi({ file, clock, log, ...options, ...more });
  let api = await open();
  return {
    get api() {
      return api;
    },
    file,
    clock,
    reopen: async (more) => {
      await api.close();
      api = await open(more);
      return api;
    },
    stop: async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function resource(group: string, plural: string, kind: string, namespaced = true): ResourceType {
  return { group, version: 'v1', plural, kind, namespaced };
}

export const types = {
  configMaps: resource('', 'configmaps', 'ConfigMap'),
  deployments: resource('apps', 'deployments', 'Deployment'),
  events: resource('', 'events', 'Event'),
  jobs: resource('batch', 'jobs', 'Job'),
  leases: resource('coordination.k8s.io', 'leases', 'Lease'),
  namespaces: resource('', 'namespaces', 'Namespace', false),
  pods: resource('', 'pods', 'Pod'),
  secrets: resource('', 'secrets', 'Secret'),
  services: resource('', 'services', 'Service'),
} as const;

export function configMap(name: string, more: { data?: Record<string, string>; metadata?: KubeObject['metadata'] } = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...more.metadata },
    data: more.data ?? { key: 'value' },
  };
}

export function deployment(name: string, more: Record<string, unknown> = {}): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  const spec = { selector: { matchLabels: labels }, template, ...more };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' }, spec } as unknown as KubeObject;
}
