/** The controller of applications and the service about them, in this process, on an embedded home whose every request is seen. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemTimers } from '../../src/base/index.ts';
import { createClusters, type Clusters } from '../../src/clusters/index.ts';
import {
  createApplicationController,
  createInspector,
  type ApplicationController,
  type ControllerContext,
} from '../../src/controllers/index.ts';
import { createEventRecorder, createObjectStore, type KubeApi, type ObjectStore, type WorkObserver } from '../../src/kube/index.ts';
import { applicationType, appProjectType, readApplication, type Application } from '../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import type { ApplicationServiceOptions } from '../../src/server/index.ts';
import { openSettings, prepareHome, type Settings } from '../../src/settings/index.ts';
import { createSources, type Sources } from '../../src/sources/index.ts';
import { openEmbeddedHome, type EmbeddedHome } from './embedded-home.ts';
import { waitUntil } from './wait-until.ts';

export interface ApplicationPlane {
  readonly home: EmbeddedHome;
  /** Every request since the last call, such as `patch Application web`. */
  takeRequests(): readonly string[];
  readonly settings: Settings;
  readonly applications: ObjectStore;
  readonly context: ControllerContext;
  readonly service: ApplicationServiceOptions;
  /** Starts looking after applications; again after `stopController`, as after a restart of the program. */
  startController(observer?: WorkObserver): ApplicationController;
  stopController(): Promise<void>;
  create(name: string, spec: object, metadata?: object): Promise<void>;
  get(name: string): Application;
  /** The application once it is like this. */
  waitFor(name: string, isThere: (application: Application) => boolean): Promise<Application>;
  close(): Promise<void>;
}

export interface PlaneOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Where applications go, instead of the home itself. */
  readonly cluster?: KubeApi;
  readonly unwrittenMaxMs?: number;
}

const NAMESPACE = 'argocd';

export async function openApplicationPlane({
  settings: given = {},
  cluster,
  unwrittenMaxMs,
}: PlaneOptions = {}): Promise<ApplicationPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'application-plane-'));
  const home = await openEmbeddedHome();
  let requests: string[] = [];
  home.disturb = (call) => void requests.push(call);
  const { api, log } = home;
  const common = { api, namespace: NAMESPACE, clock: systemClock, log };
  await prepareHome({ ...common, hashPassword: async () => '$2b$10$abcdefghijklmnopqrstuv', firstPassword: 'unused-password' });
  const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
  await api.patch(configMaps, { namespace: NAMESPACE, name: 'argocd-cm' }, { type: 'merge', body: { data: given } });
  const settings = await openSettings(common);
  const clusters: Clusters = createClusters({
    home: { api: cluster ?? api, kind: 'embedded' },
    settings,
    allowCommands: false,
    userAgent: 'test',
    clock: systemClock,
    log,
  });
  const sources: Sources = createSources({
    folder,
    clock: systemClock,
    timers: systemTimers,
    log,
    credentialsFor: () => undefined,
    allowFileRepositories: true,
    tools: { searchPath: process.env['PATH'] ?? '' },
  });
  const applications = createObjectStore({ api, type: applicationType, log });
  const projects = createObjectStore({ api, type: appProjectType, namespace: NAMESPACE, log });
  for (const store of [applications, projects]) {
    store.start();
    await store.whenSynced(10_000);
  }
  const context: ControllerContext = {
    home: api,
    namespace: NAMESPACE,
    isNamespaceEnabled: (namespace) => namespace === NAMESPACE || namespace.startsWith('team-'),
    applications,
    projects,
    settings,
    clusters,
    sources,
    surroundingsOf: () => ({}),
    events: createEventRecorder({ api, namespace: NAMESPACE, clock: systemClock, log }),
    meter: { onReconciled: () => undefined, onOperationEnded: () => undefined, onRequest: () => undefined, onOrphans: () => undefined },
    clock: systemClock,
    timers: systemTimers,
    log,
    random: Math.random,
    ...(unwrittenMaxMs !== undefined && { unwrittenMaxMs }),
  };
  let controller: ApplicationController | undefined;
  const get = (name: string): Application => readApplication(applications.get({ namespace: NAMESPACE, name }) as KubeObject);
  return {
    home,
    settings,
    applications,
    context,
    service: { ...context, policy: { isAllowed: () => true }, inspector: createInspector(context) },
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    startController(observer) {
      controller = createApplicationController({ ...context, ...(observer && { observer }) });
      controller.start();
      return controller;
    },
    async stopController() {
      await controller?.stop();
      controller = undefined;
    },
    async create(name, spec, metadata = {}) {
      const object = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: NAMESPACE, ...metadata },
        spec,
      };
      await api.create(applicationType, object as unknown as KubeObject & JsonObject);
    },
    get,
    async waitFor(name, isThere) {
      return waitUntil(() => {
        const object = applications.get({ namespace: NAMESPACE, name });
        const application = object && readApplication(object);
        return application !== undefined && isThere(application) ? application : undefined;
      });
    },
    async close() {
      await controller?.stop();
      await Promise.all([applications.stop(), projects.stop(), clusters.stop(), sources.stop()]);
      await settings.close();
      await home.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Where an application goes: the embedded API itself. */
export const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
