/** A home API for tests: the embedded one in a folder of its own, with every write counted and, where a test asks, disturbed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock, type Logger } from '../../src/base/index.ts';
import { openEmbeddedApi, type EmbeddedApi } from '../../src/embedded/index.ts';
import type { KubeApi, ResourceType, WatchEvent } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';

const PROJECTS: ResourceType = { group: 'argoproj.io', version: 'v1alpha1', plural: 'appprojects', kind: 'AppProject', namespaced: true };

const READS: readonly string[] = ['get', 'list', 'watch'];

export interface EmbeddedHome {
  readonly api: KubeApi;
  readonly embedded: EmbeddedApi;
  /** Each write that reached the API, such as `create ConfigMap argocd-cm`. */
  readonly writes: string[];
  /** What was logged, as text. */
  readonly logged: string[];
  readonly log: Logger;
  /** Called before each read and write, with words such as `update Secret argocd-secret`; may wait or throw. */
  disturb: (call: string) => Promise<void> | void;
  close(): Promise<void>;
}

export async function openEmbeddedHome(): Promise<EmbeddedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-home-'));
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', format: 'text', write: (line) => void logged.push(line) });
  const embedded = await openEmbeddedApi({ file: join(folder, 'home.db'), clock: systemClock, log });
  if (embedded.kinds.find(PROJECTS) === undefined) embedded.kinds.register({ type: PROJECTS, isCustom: true });
  const writes: string[] = [];
  const before = async (verb: string, { kind }: ResourceType, name = ''): Promise<void> => {
    const call = `${verb} ${kind} ${name}`;
    await home.disturb(call);
    if (!READS.includes(verb)) writes.push(call);
  };
  const home: EmbeddedHome = {
    embedded,
    writes,
    logged,
    log,
    disturb: () => undefined,
    api: {
      ...embedded,
      get: async (type, ref, options) => (await before('get', type, ref.name), embedded.get(type, ref, options)),
      list: async (type, options) => (await before('list', type), embedded.list(type, options)),
      watch: (type, options) =>
        watchAfter(
          () => before('watch', type),
          () => embedded.watch(type, options),
        ),
      create: async (type, object, options) => (await before('create', type, object.metadata.name), embedded.create(type, object, options)),
      update: async (type, object, options) => (await before('update', type, object.metadata.name), embedded.update(type, object, options)),
      patch: async (type, ref, patch, options) => (await before('patch', type, ref.name), embedded.patch(type, ref, patch, options)),
      delete: async (type, ref, options) => (await before('delete', type, ref.name), embedded.delete(type, ref, options)),
    },
    async close() {
      await embedded.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return home;
}

async function* watchAfter(before: () => Promise<void>, watch: () => AsyncIterable<WatchEvent>): AsyncIterable<WatchEvent> {
  await before();
  yield* watch();
}

export function configMap(name: string, data: Readonly<Record<string, string>>, labels?: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'argocd', labels: labels ?? { 'app.kubernetes.io/part-of': 'argocd' } },
    data,
  };
}

export function secret(name: string, data: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> = {}): KubeObject {
  const encoded: JsonObject = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'argocd', labels }, type: 'Opaque', data: encoded };
}
