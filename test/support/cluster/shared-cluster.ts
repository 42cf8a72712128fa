import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe } from 'vitest';
import { createLogger, systemClock } from '../../../src/base/index.ts';
import { createHttpKubeApi, loadKubeconfig } from '../../../src/kube/index.ts';
import type { HttpKubeApi, HttpKubeApiOptions, ResourceType } from '../../../src/kube/index.ts';
import { isStatusError } from '../../../src/objects/index.ts';
import { runFolder } from '../run-folder.ts';
import { requireGo } from '../tools/go-toolchain.ts';
import { BUILD_LIMIT_MS } from '../tools/ensure-tool.ts';
import { ToolMissing } from '../tools/tool.ts';
import type { ClusterUser } from './control-plane.ts';

const POLL_MS = 50;
/** All its programs may have to be built first. */
const START_LIMIT_MS = 2 * BUILD_LIMIT_MS;
const SETTLE_LIMIT_MS = 20_000;
const NAMESPACE: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const SERVICE_ACCOUNT: ResourceType = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true };

/** A control plane that every test file of a run uses. Nobody stops it or its API server: who needs that starts one of their own. */
export interface SharedCluster {
  readonly url: string;
  /** Its keys, certificates, logs and kubeconfigs. */
  readonly folder: string;
  kubeconfig(user?: ClusterUser): string;
}

/** Starts the run's control plane where nobody has yet, and waits until it is ready. */
export async function sharedCluster(): Promise<SharedCluster> {
  const folder = runFolder();
  if (claim(join(folder, 'cluster.lock'))) startDaemon(folder);
  const ready = join(folder, 'cluster.json');
  const failed = join(folder, 'cluster.failed');
  const deadline = Date.now() + START_LIMIT_MS;
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(`the shared control plane did not start: ${readFileSync(failed, 'utf8')}`);
    if (Date.now() > deadline) throw new Error('the shared control plane did not start in time');
    await wait(POLL_MS);
  }
  const cluster = JSON.parse(readFileSync(ready, 'utf8')) as { url: string; folder: string };
  return { ...cluster, kubeconfig: (user = 'admin') => join(cluster.folder, `${user}.kubeconfig`) };
}

/** A suite on the shared control plane; where it cannot be built for want of a toolchain, the suite is skipped, loudly. */
export function describeWithCluster(title: string, suite: (cluster: () => SharedCluster) => void): void {
  const missing = whyMissing();
  if (missing !== undefined) process.stderr.write(`SKIPPED: ${title}: ${missing}\n`);
  describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} [skipped: ${missing}]`, () => {
    let started: SharedCluster | undefined;
    beforeAll(async () => {
      started = await sharedCluster();
    }, START_LIMIT_MS);
    suite(() => {
      if (started === undefined) throw new Error('the cluster is asked for before the tests run');
      return started;
    });
  });
}

/** A client of a test cluster, quiet, as one of its users; whoever asks closes it. */
export async function connectTo(
  cluster: Pick<SharedCluster, 'kubeconfig'>,
  options: Partial<HttpKubeApiOptions> & { readonly user?: ClusterUser } = {},
): Promise<HttpKubeApi> {
  const { user, ...rest } = options;
  const access = await loadKubeconfig({ files: [cluster.kubeconfig(user)] });
  return createHttpKubeApi({ ...access, clock: systemClock, log: quietLog, userAgent: 'fairway-test', ...rest });
}

export const quietLog = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

/** The name of a namespace that nobody else uses, ready for pods. It goes with the cluster. */
export async function testNamespace(cluster: Pick<SharedCluster, 'kubeconfig'>): Promise<string> {
  const api = await connectTo(cluster);
  try {
    const { metadata } = await api.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'test-' } });
    const namespace = metadata.name ?? '';
    const deadline = Date.now() + SETTLE_LIMIT_MS;
    while (!(await hasServiceAccount(api, namespace))) {
      if (Date.now() > deadline) throw new Error(`the namespace ${namespace} got no service account`);
      await wait(POLL_MS);
    }
    return namespace;
  } finally {
    await api.close();
  }
}

async function hasServiceAccount(api: HttpKubeApi, namespace: string): Promise<boolean> {
  try {
    await api.get(SERVICE_ACCOUNT, { namespace, name: 'default' });
    return true;
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return false;
    throw error;
  }
}

/** True for the first who asks. */
function claim(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (Reflect.get(error as Error, 'code') === 'EEXIST') return false;
    throw error;
  }
}

function startDaemon(folder: string): void {
  const log = openSync(join(folder, 'cluster.log'), 'a');
  const program = fileURLToPath(new URL('cluster-daemon.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  writeFileSync(join(folder, 'cluster.pid'), String(child.pid));
  child.unref();
}

function whyMissing(): string | undefined {
  try {
    requireGo('kube-apiserver');
    return undefined;
  } catch (error) {
    if (error instanceof ToolMissing) return error.message;
    throw error;
  }
}
