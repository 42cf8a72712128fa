import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Sessions } from '../access/index.ts';
import { systemTimers, writeFileAtomically, type Logger, type Timers } from '../base/index.ts';
import { formatKubeconfig } from '../cli/index.ts';
import type { Settings } from '../settings/index.ts';

/** A session lasts a day. */
const renewalMs = 6 * 60 * 60 * 1000;
const retryMs = 60_000;

function fileIn(dataDir: string): string {
  return join(dataDir, 'kubeconfig');
}

/** How to reach the server that runs with a data folder. */
export interface LocalServer {
  /** The whole file. */
  readonly text: string;
  /** The address of its Kubernetes API. */
  readonly server: string;
  readonly token: string;
  /** PEM; undefined without TLS. */
  readonly certificate: string | undefined;
}

/** What `keepLocalKubeconfig` wrote; undefined where nothing is running, or something that has no Kubernetes API of its own. */
export async function readLocalKubeconfig(dataDir: string): Promise<LocalServer | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { clusters, users } = parse(text) as {
    clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string } }];
    users: readonly [{ readonly user: { readonly token?: string } }];
  };
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  const url = new URL(server);
  const token = users[0].user.token ?? url.password;
  url.username = url.password = '';
  return { text, server: url.href, token, certificate: authority === undefined ? undefined : Buffer.from(authority, 'base64').toString() };
}

export interface LocalKubeconfigOptions {
  readonly dataDir: string;
  /** Of the server, without a path. */
  readonly url: string;
  /** PEM of the certificate to trust; undefined without TLS. */
  readonly certificate: () => string | undefined;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly log: Logger;
  readonly timers?: Timers;
}

/**
 * Keeps a kubeconfig of the admin in the data folder while the server runs, readable by its owner alone, who could read the database
 * just as well. `kubectl` and our own commands reach the running server with it. Returns what ends that and removes the file.
 */
export async function keepLocalKubeconfig(options: LocalKubeconfigOptions): Promise<() => Promise<void>> {
  const { dataDir, url, certificate, sessions, settings, log, timers = systemTimers } = options;
  const file = fileIn(dataDir);
  let cancel: () => void = () => undefined;
  let stopped = false;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (stopped) return;
    cancel();
    // Settings may make sessions shorter than that.
    let nextMs = Math.max(retryMs, Math.min(renewalMs, settings.current.general.sessionDurationMs / 2));
    try {
      await writeFileAtomically(file, formatKubeconfig({ url, certificate: certificate(), token: await sessions.start('admin') }));
    } catch (error) {
      nextMs = retryMs;
      log.warn('could not write the local kubeconfig', { file, error });
    }
    cancel = timers.schedule(nextMs, writeSoon);
  }
  // One after the other, so that the last one counts.
  const writeSoon = (): void => void (writing = writing.then(write));

  writeSoon();
  const stopListening = settings.onChange(({ changes }) => {
    // These void the token in the file, or the certificate.
    if (changes.some(({ part }) => part === 'secret' || part === 'accounts' || part === 'certificate')) writeSoon();
  });
  await writing;
  return async () => {
    stopped = true;
    stopListening();
    await writing;
    cancel();
    await rm(file, { force: true });
  };
}
