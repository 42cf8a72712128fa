import { join } from 'node:path';
import { systemTimers, type Clock, type Logger } from '../base/index.ts';
import { createClusters, createRegistry } from '../clusters/index.ts';
import type { ShadowLedger } from '../controllers/index.ts';
import { createObjectStore, type ObjectStore } from '../kube/index.ts';
import { applicationSetType, applicationType, matchesNamespace } from '../model/index.ts';
import {
  createApplicationRoutes,
  createApplicationSetRoutes,
  createCertificateRoutes,
  createGitMetrics,
  createServices,
  createWebhooks,
  type PlainRoute,
  type ServerMetrics,
  type ServiceHandlers,
  type Webhooks,
} from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import { createSources, extendSearchPath, findAccess } from '../sources/index.ts';
import { createApplicationSets } from './application-sets.ts';
import { createApplications } from './applications.ts';
import { createDependencySettings } from './dependency-settings.ts';
import type { Home } from './home.ts';
import { leadControllers } from './lead-controllers.ts';
import type { Access } from './open-access.ts';
import { readRenderPauses } from './render-pauses.ts';
import { findCacheFolder } from './tools.ts';

/** Something that runs beside the server. */
export interface Component {
  /** For the log. */
  readonly name: string;
  /** Called once, in the order of the list, before the server takes its first request. */
  start(): Promise<void> | void;
  /** Called once, in the opposite order, when the server has answered its last. */
  stop(): Promise<void> | void;
}

export interface ControlPlaneOptions {
  readonly home: Home;
  readonly settings: Settings;
  readonly access: Access;
  /** Of the home's own namespace. It is started here. */
  readonly projects: ObjectStore;
  /** Patterns of the other namespaces in which applications may be, as they are now. */
  readonly applicationNamespaces: () => readonly string[];
  readonly applicationsetNamespaces: () => readonly string[];
  /** Whether repositories may be folders of this machine. */
  readonly allowFileRepositories: boolean;
  /** Whether repositories that nobody registered may be servers of this machine. */
  readonly allowOwnMachine: boolean;
  /** Which programs clusters that are registered over the API may name, beside that of Argo CD. */
  readonly clusterCommands: readonly string[];
  /** The folder with the sockets of plugins. */
  readonly pluginSockets: string;
  readonly shadowPatienceMs: number;
  /** For caches: all that matters is in the home. */
  readonly dataDir: string;
  readonly version: string;
  readonly metrics: ServerMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ControlPlane {
  readonly components: readonly Component[];
  /** Handlers by full service name. */
  readonly services: Readonly<Record<string, ServiceHandlers>>;
  /** What is asked about applications beside the services. */
  readonly routes: readonly PlainRoute[];
  /** Takes what repositories tell of their changes. */
  readonly webhooks: Pick<Webhooks, 'accept'>;
  /** With them it is known whether there is anything to be looked at. */
  readonly applications: ObjectStore;
  readonly applicationSets: ObjectStore;
  /** What we would say of applications that another installation looks after. */
  readonly shadow: ShadowLedger | undefined;
}

/** What works on the home: controllers, and the services that clients call. Each is made here and handed what it needs. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { home, settings, access, version, clock, log } = options;
  // An installation that may read only its own namespace of a cluster must not ask for all of them.
  const isConfined = home.kind === 'cluster' && options.applicationNamespaces().length === 0;
  const applications = createObjectStore({
    api: home.api,
    type: applicationType,
    ...(isConfined && { namespace: home.namespace }),
    log,
  });
  const clusters = createClusters({
    home,
    settings,
    // An installation in a cluster may have clusters whose credentials a program prints: any that a Secret names, and a few that a
    // call to the API may name. Elsewhere nobody expects that programs are started.
    allowCommands: home.kind === 'cluster',
    furtherCommands: options.clusterCommands,
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    userAgent: `fairway/${version}`,
    clock,
    log,
  });
  const registry = createRegistry({ home: home.api, namespace: home.namespace, settings });
  const cluster = { clusters, registry, settings, applications, clock, timers: systemTimers };
  const sources = createSources({
    folder: join(options.dataDir, 'sources'),
    clock,
    timers: systemTimers,
    log,
    credentialsFor: (url, project) => findAccess(settings.current, url, project),
    allowFileRepositories: options.allowFileRepositories,
    allowOwnMachine: options.allowOwnMachine,
    dependencies: createDependencySettings(options),
    ociLayerTypes: () => settings.current.parameters.ociLayerTypes,
    archiveSizes() {
      const { chartSizeMax, artifactSizeMax, uploadSizeMax } = settings.current.parameters;
      return { chart: chartSizeMax, artifact: artifactSizeMax, upload: uploadSizeMax };
    },
    gitLimitMs: () => settings.current.parameters.gitTimeoutMs,
    submodulesEnabled: () => settings.current.parameters.submodulesEnabled,
    plugins: {
      socketFolder: options.pluginSockets,
      excluded: () => settings.current.parameters.pluginExclusions,
      usesGeneratePaths: () => settings.current.parameters.pluginGeneratePaths,
    },
    leavesOutLinks: () => settings.current.parameters.outOfBoundsLinks,
    limits: { ...readRenderPauses(process.env), ...readParallelism(settings.current.parameters.renderParallelism) },
    resultsSecret: () => settings.current.secret.signingKey?.reveal(),
    version,
    onResult: countResults(options.metrics),
    onGitRequest: createGitMetrics(options.metrics.registry),
    ...readWorkloadIdentity(),
    tools: {
      searchPath: extendSearchPath(process.env['PATH'] ?? '', findCacheFolder(process.env)),
      proxyEnvironment: readProxyVariables(),
    },
  });
  const { components, works, service, refreshHere, shadow } = createApplications({
    ...options,
    policy: access.policy,
    applications,
    clusters,
    sources,
  });
  const { store: applicationSets, isEnabled: isApplicationSetNamespaceEnabled } = createApplicationSetStore(options);
  const sets = createApplicationSets({
    ...options,
    policy: access.policy,
    applications,
    applicationSets,
    clusters,
    sources,
    isNamespaceEnabled: isApplicationSetNamespaceEnabled,
    shadow,
  });
  const webhooks = createWebhooks({ ...service, applicationSets, isApplicationSetNamespaceEnabled, refreshHere, random: Math.random });
  return {
    components: [
      { name: 'sources', start: () => undefined, stop: () => sources.stop() },
      { name: 'applications', start: () => applications.start(), stop: () => applications.stop() },
      { name: 'application sets', start: () => applicationSets.start(), stop: () => applicationSets.stop() },
      { name: 'clusters', start: () => undefined, stop: () => clusters.stop() },
      ...components,
      leadControllers({ home, works: [...works, ...sets.works], stores: [options.projects, applications, applicationSets], log }),
      { name: 'webhooks', start: () => webhooks.start(), stop: () => webhooks.stop() },
    ],
    routes: [
      ...createApplicationRoutes({ context: service, authenticate: access.authenticate }),
      ...createApplicationSetRoutes({ context: sets.service, authenticate: access.authenticate }),
      ...createCertificateRoutes({ ...access, settings }),
    ],
    webhooks,
    applications,
    applicationSets,
    shadow,
    services: createServices({
      version,
      ...access,
      account: { settings, checkPassword: access.checkPassword, namespace: home.namespace, clock },
      cluster,
      application: service,
      applicationSet: sets.service,
      applicationNamespaces: options.applicationNamespaces,
    }),
  };
}

function createApplicationSetStore({ home, applicationsetNamespaces, log }: ControlPlaneOptions) {
  const isConfined = home.kind === 'cluster' && applicationsetNamespaces().length === 0;
  const store = createObjectStore({ api: home.api, type: applicationSetType, ...(isConfined && { namespace: home.namespace }), log });
  const isEnabled = (namespace: string): boolean =>
    namespace === home.namespace || applicationsetNamespaces().some((pattern) => matchesNamespace(pattern, namespace));
  return { store, isEnabled };
}

/** As for those who use the setting today, it counts from the next start on. */
function readParallelism(atOnce: number): { readonly renderersMax?: number; readonly pluginsMax?: number } {
  return atOnce === 0 ? {} : { renderersMax: atOnce, pluginsMax: atOnce };
}

/** How often something is rendered, and how often it was there already. */
function countResults({ registry }: ServerMetrics): (origin: string) => void {
  const counter = registry.counter({
    name: 'fairway_renders_total',
    help: 'Sources that were made manifests, by where these came from.',
    labels: ['from'],
  });
  for (const from of ['memory', 'disk', 'render']) counter.add(0, from);
  return (from) => counter.add(1, from);
}

/** Where a cluster gives its pods an identity in a cloud, it says so in these variables. */
function readWorkloadIdentity(): Pick<Parameters<typeof createSources>[0], 'workloadIdentity'> {
  const { AZURE_CLIENT_ID: clientId, AZURE_TENANT_ID: tenantId, AZURE_FEDERATED_TOKEN_FILE: tokenFile, AZURE_AUTHORITY_HOST } = process.env;
  if (!clientId || !tenantId || !tokenFile) return {};
  return { workloadIdentity: { clientId, tenantId, tokenFile, authority: AZURE_AUTHORITY_HOST ?? '' } };
}

const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'];

/** For repositories that have no proxy of their own. */
function readProxyVariables(): Record<string, string> {
  return Object.fromEntries(PROXY_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
