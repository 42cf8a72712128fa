import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemTimers, type Logger } from '../../src/base/index.ts';
import { createClusters } from '../../src/clusters/index.ts';
import { createApplicationSetController, createApplicationSetGenerators } from '../../src/controllers/index.ts';
import { createEventRecorder, createObjectStore, type KubeApi, type ObjectStore, type ResourceType } from '../../src/kube/index.ts';
import { applicationSetType, applicationType, appProjectType } from '../../src/model/index.ts';
import { openSettings, prepareHome } from '../../src/settings/index.ts';
import { createSources } from '../../src/sources/index.ts';

/** The controller of application sets alone, on some home: nobody compares or syncs what it makes. */
export interface BenchPlane {
  readonly applications: ObjectStore;
  readonly applicationSets: ObjectStore;
  /** Writes since the last call, by what was written. */
  takeWrites(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export interface BenchHome {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly kind: 'embedded' | 'cluster';
  readonly log: Logger;
}

export async function openPlane(home: BenchHome): Promise<BenchPlane> {
  const { namespace, log } = home;
  const folder = await mkdtemp(join(tmpdir(), 'bench-appsets-'));
  let writes: Record<string, number> = {};
  const api = countWrites(home.api, (what) => {
    writes[what] = (writes[what] ?? 0) + 1;
  });
  const common = { api, namespace, clock: systemClock, log };
  await prepareHome({ ...common, hashPassword: () => Promise.resolve(''), firstPassword: 'unused-password' });
  const settings = await openSettings(common);
  const clusters = createClusters({
    home: { api, kind: home.kind },
    settings,
    allowCommands: false,
    userAgent: 'bench',
    clock: systemClock,
    log,
  });
  const sources = createSources({
    folder,
    clock: systemClock,
    timers: systemTimers,
    log,
    credentialsFor: () => undefined,
    allowFileRepositories: false,
    allowOwnMachine: true,
    tools: { searchPath: process.env['PATH'] ?? '' },
  });
  const stores = [applicationType, appProjectType, applicationSetType].map((type) => createObjectStore({ api, type, namespace, log }));
  const [applications, projects, applicationSets] = stores as [ObjectStore, ObjectStore, ObjectStore];
  for (const store of stores) {
    store.start();
    await store.whenSynced(30_000);
  }
  const context = {
    home: api,
    namespace,
    settings,
    clusters,
    sources,
    applications,
    projects,
    applicationSets,
    clock: systemClock,
    timers: systemTimers,
    log,
    isNamespaceEnabled: (other: string) => other === namespace,
    events: createEventRecorder({ api, namespace, clock: systemClock, log }),
  };
  const controller = createApplicationSetController({ ...context, ...createApplicationSetGenerators(context, {}) });
  controller.start();
  return {
    applications,
    applicationSets,
    takeWrites() {
      const taken = writes;
      writes = {};
      return taken;
    },
    async close() {
      await controller.stop();
      await Promise.all(stores.map((store) => store.stop()));
      await Promise.all([clusters.stop(), sources.stop(), settings.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function countWrites(api: KubeApi, count: (what: string) => void): KubeApi {
  const seen = (verb: string, { kind }: ResourceType): void => count(`${verb} ${kind}`);
  return {
    discover: (options) => api.discover(options),
    openApi: (groupVersion, options) => api.openApi(groupVersion, options),
    version: (options) => api.version(options),
    get: (type, ref, options) => api.get(type, ref, options),
    list: (type, options) => api.list(type, options),
    watch: (type, options) => api.watch(type, options),
    logs: (ref, options) => api.logs(ref, options),
    deleteCollection: (type, selection, options) => api.deleteCollection(type, selection, options),
    create: (type, object, options) => (seen('create', type), api.create(type, object, options)),
    update: (type, object, options) => (seen('update', type), api.update(type, object, options)),
    patch: (type, ref, patch, options) => (seen('patch', type), api.patch(type, ref, patch, options)),
    delete: (type, ref, options) => (seen('delete', type), api.delete(type, ref, options)),
  };
}
