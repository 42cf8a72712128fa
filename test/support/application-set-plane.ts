/** The controller of application sets and the service about them, in this process, on an embedded home whose every request is seen. */
import { systemClock } from '../../src/base/index.ts';
import {
  createApplicationSetController,
  createApplicationSetGenerators,
  createPreview,
  type ApplicationSetContext,
  type ApplicationSetController,
} from '../../src/controllers/index.ts';
import { createEventRecorder, createObjectStore, type ObjectStore, type ResourceType } from '../../src/kube/index.ts';
import { applicationSetType, applicationType, readApplication, readApplicationSet } from '../../src/model/index.ts';
import type { Application, ApplicationSet } from '../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import type { ApplicationSetServiceOptions } from '../../src/server/index.ts';
import { openApplicationPlane, type ApplicationPlane } from './application-plane.ts';
import { secret } from './embedded-home.ts';
import { waitUntil } from './wait-until.ts';

export interface ApplicationSetPlane {
  readonly plane: ApplicationPlane;
  readonly context: ApplicationSetContext;
  readonly applicationSets: ObjectStore;
  readonly service: ApplicationSetServiceOptions;
  start(): void;
  stop(): Promise<void>;
  create(name: string, spec: object, metadata?: object): Promise<void>;
  patch(name: string, body: JsonObject): Promise<void>;
  get(name: string): ApplicationSet | undefined;
  /** The application set once it is like this. */
  waitFor(name: string, isThere: (set: ApplicationSet) => boolean): Promise<ApplicationSet>;
  /** The applications of the plane's namespace by name. */
  applications(): readonly Application[];
  names(): readonly string[];
  /** Makes a cluster known. */
  addCluster(name: string, labels?: Readonly<Record<string, string>>): Promise<void>;
  setParameters(data: Readonly<Record<string, string | null>>): Promise<void>;
  close(): Promise<void>;
}

const NAMESPACE = 'argocd';
const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

export async function openApplicationSetPlane(): Promise<ApplicationSetPlane> {
  const plane = await openApplicationPlane();
  const { api, log } = plane.home;
  const applicationSets = createObjectStore({ api, type: applicationSetType, log });
  applicationSets.start();
  await applicationSets.whenSynced(10_000);
  const common = {
    ...plane.context,
    applicationSets,
    events: createEventRecorder({ api, namespace: NAMESPACE, clock: systemClock, log }),
  };
  const context: ApplicationSetContext = { ...common, ...createApplicationSetGenerators(common, {}) };
  let controller: ApplicationSetController | undefined;
  const applications = (): readonly Application[] =>
    [...plane.applications.values()]
      .map(readApplication)
      .sort((one, other) => ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1));
  const get = (name: string): ApplicationSet | undefined => {
    const object = applicationSets.get({ namespace: NAMESPACE, name });
    return object && readApplicationSet(object);
  };
  return {
    plane,
    context,
    applicationSets,
    service: { ...common, policy: { isAllowed: () => true }, preview: createPreview(context) },
    start() {
      controller = createApplicationSetController(context);
      controller.start();
    },
    async stop() {
      await controller?.stop();
      controller = undefined;
    },
    async create(name, spec, metadata = {}) {
      await api.create(applicationSetType, applicationSet(name, spec, metadata));
    },
    async patch(name, body) {
      applicationSets.noticeWrite(await api.patch(applicationSetType, { namespace: NAMESPACE, name }, { type: 'merge', body }));
    },
    get,
    waitFor: (name, isThere) =>
      waitUntil(() => {
        const set = get(name);
        return set !== undefined && isThere(set) ? set : undefined;
      }),
    applications,
    names: () => applications().map(({ metadata }) => metadata.name ?? ''),
    async addCluster(name, labels = {}) {
      const data = { name, server: `https://${name}.example.com`, config: '{}' };
      await api.create(secrets, secret(`cluster-${name}`, data, { 'argocd.argoproj.io/secret-type': 'cluster', ...labels }));
      await waitUntil(() => plane.settings.current.labelledSecrets.has(`cluster-${name}`));
    },
    async setParameters(data) {
      const { version } = plane.settings.current;
      await api.patch(configMaps, { namespace: NAMESPACE, name: 'argocd-cmd-params-cm' }, { type: 'merge', body: { data } });
      await waitUntil(() => plane.settings.current.version > version);
    },
    async close() {
      await controller?.stop();
      await applicationSets.stop();
      await plane.close();
    },
  };
}

export function applicationSet(name: string, spec: object, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: NAMESPACE, ...metadata },
    spec: JSON.parse(JSON.stringify(spec)) as JsonObject,
  };
}

/** A template of an application that goes to the embedded API itself, with what is given over it. */
export function templateOf(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    metadata: { name, ...metadata },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example.com/shop.git', path: 'apps', targetRevision: 'HEAD' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      ...spec,
    },
  };
}

/** Whether a condition of a set is as said. */
export function hasCondition(set: ApplicationSet, type: string, status: string): boolean {
  return set.status?.conditions?.some((condition) => condition.type === type && condition.status === status) === true;
}

/** Deletes an application as anybody might. */
export async function deleteApplication({ plane }: ApplicationSetPlane, name: string): Promise<void> {
  await plane.home.api.delete(applicationType, { namespace: NAMESPACE, name });
}
