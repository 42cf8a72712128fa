import { readFileSync } from 'node:fs';
import type { LoginAttempt } from '../access/index.ts';
import { abortable, systemClock, type Logger } from '../base/index.ts';
import { formatAddress, isLoopback, reachableAddress, type Address, type UpOptions } from '../cli/index.ts';
import { createObjectStore, type ObjectStore } from '../kube/index.ts';
import { appProjectType } from '../model/index.ts';
import {
  auditRoutes,
  createAbsentKubernetesRoutes,
  createAccessRoutes,
  createKubernetesRoutes,
  createRoutes,
  createServer,
  createSettingsMetrics,
  createShadowMetrics,
  createShadowRoutes,
  publicMethods,
  startMetricsListener,
  type Authenticate,
  type FairwayServer,
  type ServerMetrics,
  type TlsOptions,
} from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import { checkAddresses, toListenError } from './check-addresses.ts';
import { createControlPlane, type ControlPlane } from './control-plane.ts';
import { openDataFolder } from './data-folder.ts';
import { findUiFolder } from './find-ui-folder.ts';
import { keepLocalKubeconfig } from './local-kubeconfig.ts';
import type { ClusterHome } from './open-cluster-home.ts';
import type { EmbeddedHome } from './open-embedded-home.ts';
import { openAccess, type Access } from './open-access.ts';
import { openHome } from './open-home.ts';
import { openHomeSettings } from './open-home-settings.ts';
import { chooseCertificateMaker, chooseTls, createCertificateRenewal } from './server-certificate.ts';
import { followOtherNamespaces } from './other-namespaces.ts';
import { describeSystemError, StartError } from './start-error.ts';

/** How long a stop waits for requests to finish. */
const stopGraceMs = 10_000;

export interface UpInput {
  readonly options: UpOptions;
  readonly dataDir: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly firstPassword: string | undefined;
  readonly log: Logger;
  readonly metrics: ServerMetrics;
  /** Called once where the home has failed, so that nothing can be kept any more. */
  readonly onLost?: ((error: unknown) => void) | undefined;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

export interface Running {
  readonly address: Address;
  readonly url: string;
  readonly secure: boolean;
  /** Known only when this start made it up. */
  readonly generatedPassword: string | undefined;
  /** Whether the password that a first start made up is still kept in the home. */
  readonly hasInitialPassword: boolean;
  /** Lets go of what is kept in memory only to be quick. */
  forget(): void;
  stop(): Promise<void>;
}

/** Builds everything and starts to listen. Throws StartError when that cannot be, or what it was given up with; then nothing is left running. */
export async function startUp(input: UpInput): Promise<Running> {
  // What is put on it is taken down in the opposite order: first the server, last the home and its folder.
  const stack = new AsyncDisposableStack();
  try {
    const running = await abortable(start(input, stack), input.signal);
    return { ...running, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

type Started = Omit<Running, 'stop'>;

async function start(input: UpInput, stack: AsyncDisposableStack): Promise<Started> {
  await holdDataFolder(input, stack);
  // Found out only when all is built, a port that is taken would cost a lead that was taken over, and syncs that were begun.
  await checkAddresses(input.options);
  const { home, settings, access, plane, password } = await startControlPlane(input, stack);
  return { ...(await serve(input, { home, settings, access, ...plane }, stack)), ...password, forget: () => home.forget?.() };
}

interface StartedPlane {
  readonly home: EmbeddedHome | ClusterHome;
  readonly settings: Settings;
  readonly access: Access;
  readonly projects: ObjectStore;
  readonly plane: ControlPlane;
  readonly password: Pick<Running, 'generatedPassword' | 'hasInitialPassword'>;
}

/** Keeps other processes off the data folder. */
export async function holdDataFolder({ dataDir }: UpInput, stack: AsyncDisposableStack): Promise<void> {
  const folder = await openDataFolder(dataDir);
  stack.defer(() => folder.release());
}

/** Everything but the server, in a data folder that is held. What it opens goes on the stack. Throws StartError. */
export async function startControlPlane(input: UpInput, stack: AsyncDisposableStack): Promise<StartedPlane> {
  const { options, dataDir, version, environment, firstPassword, log, metrics, onLost } = input;
  const home = await openHome({ options, dataDir, version, environment, log, onLost });
  stack.defer(() => home.close());
  const certificate = options.shadow ? undefined : chooseCertificateMaker(options);
  const { settings, ...password } = await openHomeSettings({ home, dataDir, firstPassword, certificate, log });
  stack.defer(() => settings.close());
  createSettingsMetrics(metrics.registry, settings);
  const projects = createObjectStore({ api: home.api, type: appProjectType, namespace: home.namespace, log });
  const access = openAccess({ home, settings, projects, log, report: reportLogin(log, metrics) });
  const plane = createControlPlane({
    home,
    settings,
    access,
    projects,
    applicationNamespaces: followOtherNamespaces({
      home,
      key: 'application.namespaces',
      read: () => options.applicationNamespaces ?? settings.current.parameters.applicationNamespaces,
      log,
    }),
    applicationsetNamespaces: followOtherNamespaces({
      home,
      key: 'applicationsetcontroller.namespaces',
      read: () => options.applicationsetNamespaces ?? settings.current.parameters.appsetNamespaces,
      log,
    }),
    // Whoever is on this machine already has its folders, and its servers.
    allowFileRepositories: options.allowFileRepositories || (home.kind === 'embedded' && isLoopback(options.listen.host)),
    allowOwnMachine: options.allowFileRepositories || isLoopback(options.listen.host),
    clusterCommands: options.clusterCommands ?? [],
    pluginSockets: options.pluginSockets,
    shadowPatienceMs: options.shadowPatience * 1_000,
    dataDir,
    version,
    metrics,
    clock: systemClock,
    log,
  });
  const renewal = certificate === undefined ? [] : [createCertificateRenewal(home, certificate, log)];
  for (const component of [...renewal, ...plane.components]) {
    stack.defer(() => component.stop());
    await component.start();
  }
  if (plane.shadow !== undefined) createShadowMetrics(metrics.registry, plane.shadow);
  return { home, settings, access, projects, plane, password };
}

interface Served {
  readonly home: EmbeddedHome | ClusterHome;
  readonly settings: Settings;
  readonly access: Access;
  readonly services: ControlPlane['services'];
  readonly routes: ControlPlane['routes'];
  readonly webhooks: ControlPlane['webhooks'];
  readonly shadow: ControlPlane['shadow'];
}

/** Starts to listen. */
async function serve(
  { options, dataDir, version, log, metrics }: UpInput,
  { home, settings, access, services, routes, webhooks, shadow }: Served,
  stack: AsyncDisposableStack,
): Promise<Pick<Running, 'address' | 'url' | 'secure'>> {
  const tls = chooseTls(options, settings);
  const { sessions, sso, policy } = access;
  const authenticate: Authenticate = (token) => sessions.authenticate(token);
  let stopping = false;
  const isHealthy = () => !stopping;
  const kubernetesRoutes =
    home.kind === 'embedded'
      ? createKubernetesRoutes({ api: home.api, authenticate, clock: systemClock, log })
      : createAbsentKubernetesRoutes();
  const accessRoutes = createAccessRoutes({ ...access, namespace: home.namespace });
  const shadowRoutes = shadow === undefined ? [] : createShadowRoutes({ ...access, shadow, namespace: home.namespace });
  const server = createServer({
    listen: options.listen,
    tls,
    services,
    authenticate: access.authenticate,
    publicMethods,
    routes: [
      ...auditRoutes([...accessRoutes, ...routes, ...shadowRoutes], { authenticate: access.authenticate, log }),
      ...createRoutes({ sessions, sso, policy, metrics, webhooks, isHealthy, docs: options.docs === 'on', uiFolder: findUiFolder(), log }),
      ...kubernetesRoutes,
    ],
    log,
    hooks: metrics.hooks,
  });
  const metricsListener = await openMetricsListener(options.metricsListen, { metrics, isHealthy, log });
  stack.defer(() => metricsListener?.close());
  const address = await startServer(server, options, tls);
  stack.defer(async () => {
    stopping = true;
    await server.stop({ graceMs: stopGraceMs });
  });
  const secure = tls.mode === 'on';
  const formatUrl = (place: Address) => `${secure ? 'https' : 'http'}://${formatAddress(place)}`;
  if (home.kind === 'embedded') {
    const certificate = () => (secure ? readTrusted(options, settings) : undefined);
    const url = formatUrl(reachableAddress(address));
    stack.defer(await keepLocalKubeconfig({ dataDir, url, certificate, sessions, settings, log }));
  }
  const kept = home.kind === 'embedded' ? { dataDir } : { cluster: home.server, namespace: home.namespace };
  log.info('listening', { address: formatUrl(address), ...kept, version });
  return { address, url: formatUrl(address), secure };
}

/** The certificate that a client is to trust, as PEM. */
function readTrusted({ tlsCert }: UpOptions, settings: Settings): string | undefined {
  return tlsCert === undefined ? settings.current.certificate?.certificate : readFileSync(tlsCert, 'utf8');
}

function reportLogin(log: Logger, metrics: ServerMetrics): (attempt: LoginAttempt) => void {
  return ({ username, remoteAddress, result }) => {
    metrics.countLogin(result);
    if (result === 'success') log.info('signed in', { username, remoteAddress });
    else log.warn('sign-in refused', { username, remoteAddress, result });
  };
}

async function startServer(server: FairwayServer, { listen, tlsCert, tlsKey }: UpOptions, tls: TlsOptions): Promise<Address> {
  try {
    return await server.start();
  } catch (error) {
    if (isAddressError(error)) throw toListenError(error, listen, 'listen');
    if (tls.mode === 'off') throw error;
    const stored = tlsCert === undefined ? 'of the home' : `${tlsCert} with ${tlsKey}`;
    const file = error instanceof Error && 'path' in error ? String(error.path) : stored;
    throw new StartError(`cannot use the certificate ${file}: ${describeSystemError(error)}`);
  }
}

async function openMetricsListener(
  address: Address | undefined,
  options: { readonly metrics: ServerMetrics; readonly isHealthy: () => boolean; readonly log: Logger },
) {
  if (address === undefined) return undefined;
  try {
    const listener = await startMetricsListener({ ...address, ...options });
    options.log.info('serving metrics', { address: `http://${formatAddress({ host: address.host, port: listener.port })}/metrics` });
    return listener;
  } catch (error) {
    throw toListenError(error, address, 'metrics-listen');
  }
}

function isAddressError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall));
}
