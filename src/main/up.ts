import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLogin, createSessions, openAdminFile, type LoginAttempt } from '../access/index.ts';
import { systemClock, writeFileAtomically, type Logger } from '../base/index.ts';
import { formatAddress, isLoopback, type Address, type UpOptions } from '../cli/index.ts';
import { openEmbeddedApi, startWorkloads, type EmbeddedApi } from '../embedded/index.ts';
import {
  createKubernetesRoutes,
  createRoutes,
  createServer,
  createServices,
  publicMethods,
  startMetricsListener,
  type Authenticate,
  type FairwayServer,
  type ServerMetrics,
  type TlsOptions,
} from '../server/index.ts';
import { openDataFolder } from './data-folder.ts';
import { describeSystemError, StartError } from './start-error.ts';

/** How long a stop waits for requests to finish. */
const stopGraceMs = 10_000;

export interface UpInput {
  readonly options: UpOptions;
  readonly dataDir: string;
  readonly version: string;
  readonly firstPassword: string | undefined;
  readonly log: Logger;
  readonly metrics: ServerMetrics;
}

export interface Running {
  readonly address: Address;
  readonly url: string;
  readonly secure: boolean;
  /** Known only when this start made it up. */
  readonly generatedPassword: string | undefined;
  /** The file with the password that the first start made up, when it is still there. */
  readonly passwordFile: string | undefined;
  stop(): Promise<void>;
}

/** Builds everything and starts to listen. Throws StartError when that cannot be. */
export async function startUp({ options, dataDir, version, firstPassword, log, metrics }: UpInput): Promise<Running> {
  const folder = await openDataFolder(dataDir);
  const { admin, generatedPassword, passwordFile } = await openAdmin(dataDir, firstPassword, log);
  const sessions = createSessions({ admin, clock: systemClock });
  const login = createLogin({ admin, sessions, clock: systemClock, report: reportLogin(log, metrics) });
  const home = await openHome(dataDir, log);
  const workloads = await startWorkloads({ api: home, clock: systemClock, log });
  const tls = chooseTls(options, dataDir);
  const authenticate: Authenticate = (token) => sessions.authenticate(token);
  let stopping = false;
  const isHealthy = () => !stopping;
  const server = createServer({
    listen: options.listen,
    tls,
    services: createServices({ version, login, sessions }),
    authenticate,
    publicMethods,
    routes: [
      ...createRoutes({ sessions, metrics, isHealthy, docs: options.docs === 'on' }),
      ...createKubernetesRoutes({ api: home, authenticate, clock: systemClock, log }),
    ],
    log,
    hooks: metrics.hooks,
  });
  const metricsListener = await openMetricsListener(options.metricsListen, { metrics, isHealthy, log });
  const address = await startServer(server, options, tls);
  const url = `${tls.mode === 'on' ? 'https' : 'http'}://${formatAddress(address)}`;
  log.info('listening', { address: url, dataDir, version });

  return {
    address,
    url,
    secure: tls.mode === 'on',
    generatedPassword,
    passwordFile: existsSync(passwordFile) ? passwordFile : undefined,
    async stop() {
      stopping = true;
      await server.stop({ graceMs: stopGraceMs });
      metricsListener?.close();
      await workloads.stop();
      await home.close();
      folder.release();
    },
  };
}

async function openHome(dataDir: string, log: Logger): Promise<EmbeddedApi> {
  try {
    return await openEmbeddedApi({ file: join(dataDir, 'fairway.db'), clock: systemClock, log });
  } catch (error) {
    throw new StartError(`cannot open the database ${join(dataDir, 'fairway.db')}: ${describeSystemError(error)}`);
  }
}

async function openAdmin(dataDir: string, firstPassword: string | undefined, log: Logger) {
  const passwordFile = join(dataDir, 'initial-admin-password');
  let generatedPassword: string | undefined;
  async function reveal(password: string): Promise<void> {
    generatedPassword = password;
    // Whoever runs this without a terminal learns it from the file; so does who has lost what the terminal showed.
    await writeFileAtomically(passwordFile, `${password}\n`);
    log.info('a password was made for admin', { file: passwordFile });
  }
  try {
    return { admin: await openAdminFile({ dataDir, firstPassword, reveal, clock: systemClock }), generatedPassword, passwordFile };
  } catch (error) {
    throw new StartError(`cannot read or make the admin account: ${describeSystemError(error)}`);
  }
}

function reportLogin(log: Logger, metrics: ServerMetrics): (attempt: LoginAttempt) => void {
  return ({ username, remoteAddress, result }) => {
    metrics.countLogin(result);
    if (result === 'success') log.info('signed in', { username, remoteAddress });
    else log.warn('sign-in refused', { username, remoteAddress, result });
  };
}

/** With `auto`, what only this machine can reach needs no encryption. */
function chooseTls({ tls, tlsCert, tlsKey, listen }: UpOptions, dataDir: string): TlsOptions {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { mode: 'on', certificate: { kind: 'files', certificateFile: tlsCert, keyFile: tlsKey } };
  }
  if (tls === 'off' || (tls === 'auto' && isLoopback(listen.host))) return { mode: 'off' };
  return { mode: 'on', certificate: { kind: 'self-signed', folder: dataDir, host: listen.host } };
}

async function startServer(server: FairwayServer, { listen, tlsCert, tlsKey }: UpOptions, tls: TlsOptions): Promise<Address> {
  try {
    return await server.start();
  } catch (error) {
    if (isAddressError(error)) throw new StartError(`cannot listen on ${formatAddress(listen)}: ${describeSystemError(error)}`);
    if (tls.mode === 'off') throw error;
    const file = error instanceof Error && 'path' in error ? String(error.path) : `${tlsCert ?? 'tls.crt'} with ${tlsKey ?? 'tls.key'}`;
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
    throw new StartError(`cannot listen on ${formatAddress(address)} for metrics: ${describeSystemError(error)}`);
  }
}

function isAddressError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall));
}
