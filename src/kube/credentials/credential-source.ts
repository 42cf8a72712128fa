import { isRecent } from '../../base/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Credentials, ExecPlugin, Impersonation, Pem } from './credentials.ts';
import { runExecPlugin } from './run-exec-plugin.ts';
import type { ExecCredential } from './run-exec-plugin.ts';
import { watchFile } from './watched-file.ts';

const EXEC_LIMIT_MS = 60_000;
/** A plugin that fails is not asked again at once, however many calls wait for it. */
const EXEC_REST_MS = 1000;

export interface CredentialSourceOptions {
  readonly server: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: Logger;
  /** What exec plugins inherit: at least PATH and HOME, where there are any. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly execTimeoutMs?: number;
}

/** What a request carries right now. */
export interface PresentedCredentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsMaterial;
}

/** The same object as long as nothing in it changed, so that connections made with it can be told apart from newer ones. */
export interface TlsMaterial {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Credentials in use: reads files again when they change, runs exec plugins and remembers what they printed. */
export interface CredentialSource {
  current(): Promise<PresentedCredentials>;
  /** The server refused what `current` gave last. True where asking again may give something else. */
  renew(refused: PresentedCredentials): boolean;
}

export function createCredentialSource(options: CredentialSourceOptions): CredentialSource {
  const { credentials, clock } = options;
  const { identity, clientCertificate, trust, impersonation } = credentials;
  const fixedHeaders = impersonation ? impersonationHeaders(impersonation) : {};
  const authority = pemReader(trust.authority, clock);
  const certificate = pemReader(clientCertificate?.certificate, clock);
  const key = pemReader(clientCertificate?.key, clock);
  const tokenFile = identity.type === 'token-file' ? watchFile(identity.file, clock) : undefined;
  const exec = identity.type === 'exec' ? createExecCache(identity.plugin, options) : undefined;
  const keepSame = rememberMaterial();

  async function authorization(printed: ExecCredential | undefined): Promise<string | undefined> {
    if (printed) return printed.token === undefined ? undefined : `Bearer ${printed.token}`;
    if (tokenFile) return `Bearer ${(await tokenFile.read()).trim()}`;
    if (identity.type === 'token') return `Bearer ${identity.token}`;
    if (identity.type === 'basic') return `Basic ${Buffer.from(`${identity.username}:${identity.password}`).toString('base64')}`;
    return undefined;
  }

  return {
    current: async () => {
      const printed = await exec?.current();
      const header = await authorization(printed);
      const pair = printed?.certificate ?? { certificate: await certificate(), key: await key() };
      const tls = keepSame({ authority: await authority(), certificate: pair.certificate, key: pair.key });
      return { headers: header === undefined ? fixedHeaders : { ...fixedHeaders, authorization: header }, tls };
    },
    renew: (refused) => {
      tokenFile?.expire();
      exec?.refuse(refused);
      return tokenFile !== undefined || exec !== undefined;
    },
  };
}

type Material = { [Part in keyof TlsMaterial]-?: string | undefined };

function rememberMaterial(): (material: Material) => TlsMaterial {
  let last: TlsMaterial | undefined;
  return ({ authority, certificate, key }) => {
    if (last && last.authority === authority && last.certificate === certificate && last.key === key) return last;
    last = {
      ...(authority !== undefined && { authority }),
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
    };
    return last;
  };
}

function pemReader(pem: Pem | undefined, clock: Clock): () => Promise<string | undefined> {
  if (pem === undefined) return () => Promise.resolve(undefined);
  if ('pem' in pem) return () => Promise.resolve(pem.pem);
  const file = watchFile(pem.file, clock);
  return () => file.read();
}

interface ExecCache {
  current(): Promise<ExecCredential>;
  refuse(refused: PresentedCredentials): void;
}

function createExecCache(plugin: ExecPlugin, options: CredentialSourceOptions): ExecCache {
  const { clock, log, environment = {}, execTimeoutMs = EXEC_LIMIT_MS } = options;
  const cluster = describeCluster(plugin, options);
  let kept: ExecCredential | undefined;
  let running: Promise<ExecCredential> | undefined;
  let failure: { readonly error: unknown; readonly atMs: number } | undefined;

  async function run(): Promise<ExecCredential> {
    try {
      kept = await runExecPlugin({ plugin, cluster, environment, timeoutMs: execTimeoutMs, log });
      failure = undefined;
      return kept;
    } catch (error) {
      failure = { error, atMs: clock.nowMs() };
      throw error;
    } finally {
      running = undefined;
    }
  }

  return {
    current: () => {
      if (kept && (kept.expiresAtMs === undefined || clock.nowMs() < kept.expiresAtMs)) return Promise.resolve(kept);
      // The next failure is the same as the last one; the object that was thrown then is as good.
      if (failure && isRecent(failure.atMs, { nowMs: clock.nowMs(), withinMs: EXEC_REST_MS }))
        return Promise.reject(failure.error as Error);
      running ??= run();
      return running;
    },
    refuse: ({ headers }) => {
      // Several calls may be refused with one old token; only the first of them may throw away what is newer.
      if (kept?.token === undefined || headers['authorization'] === `Bearer ${kept.token}`) kept = undefined;
    },
  };
}

function describeCluster(plugin: ExecPlugin, { server, credentials }: CredentialSourceOptions): Record<string, unknown> {
  const { trust, proxyUrl, disableCompression } = credentials;
  const authority = trust.authority && 'pem' in trust.authority ? Buffer.from(trust.authority.pem, 'latin1').toString('base64') : undefined;
  return {
    server,
    'tls-server-name': trust.serverName,
    'insecure-skip-tls-verify': trust.insecure || undefined,
    'certificate-authority-data': authority,
    'proxy-url': proxyUrl,
    'disable-compression': disableCompression || undefined,
    config: plugin.clusterConfig,
  };
}

function impersonationHeaders({ user, uid, groups, extra }: Impersonation): Record<string, string | readonly string[]> {
  const headers: [string, string | readonly string[]][] = [['impersonate-user', user]];
  if (uid !== undefined) headers.push(['impersonate-uid', uid]);
  if (groups.length > 0) headers.push(['impersonate-group', groups]);
  for (const [name, values] of extra) headers.push([`impersonate-extra-${encodeURIComponent(name)}`, values]);
  return Object.fromEntries(headers);
}
