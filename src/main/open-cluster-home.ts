import { ApiError, systemClock, type Logger } from '../base/index.ts';
import { createHttpKubeApi, loadInCluster, loadKubeconfig, type ClusterAccess, type KubeApi } from '../kube/index.ts';
import { StatusError } from '../objects/index.ts';
import type { Home } from './home.ts';
import { describeSystemError, StartError } from './start-error.ts';

/** How long a cluster may take to give its first answer. */
const answerTimeoutMs = 15_000;

/** Which cluster is the home. */
export type ClusterChoice =
  | { readonly kind: 'kubeconfig'; readonly file: string; readonly context: string | undefined }
  | { readonly kind: 'in-cluster' };

export interface ClusterHomeOptions {
  readonly cluster: ClusterChoice;
  readonly namespace: string;
  readonly version: string;
  /** Whether nothing may be written to it. */
  readonly readOnly?: boolean;
  /** Where a pod finds its API server, and what commands that a kubeconfig names inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

export interface ClusterHome extends Home {
  readonly kind: 'cluster';
  readonly server: string;
}

/** Connects to a cluster and has it answer once. Throws StartError that says what is wrong, and with what. */
export async function openClusterHome(options: ClusterHomeOptions): Promise<ClusterHome> {
  const { cluster, namespace, version, environment, log, readOnly = false } = options;
  const { server, credentials } = await findAccess(cluster, environment);
  const api = createHttpKubeApi({ server, credentials, clock: systemClock, log, userAgent: `fairway/${version}`, environment, readOnly });
  try {
    await checkAnswers(api, server);
  } catch (error) {
    await api.close();
    throw error;
  }
  return { kind: 'cluster', api, access: { server, credentials }, namespace, server, readOnly, close: () => api.close() };
}

async function findAccess(cluster: ClusterChoice, environment: ClusterHomeOptions['environment']): Promise<ClusterAccess> {
  try {
    if (cluster.kind === 'in-cluster') return loadInCluster({ environment });
    const { file, context } = cluster;
    // Whoever starts the program chose this file, so it may name commands and other files, as it may for kubectl.
    return await loadKubeconfig({ files: [file], ...(context !== undefined && { context }), allowCommands: true, allowFiles: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const origin = cluster.kind === 'in-cluster' ? '--in-cluster' : `--kubeconfig ${cluster.file}`;
    throw new StartError(`${origin}: ${describeSystemError(error)}`);
  }
}

async function checkAnswers(api: KubeApi, server: string): Promise<void> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    await api.version({ signal });
  } catch (error) {
    if (signal.aborted) throw new StartError(`the cluster at ${server} did not answer within ${answerTimeoutMs / 1000} seconds`);
    if (error instanceof StatusError) throw new StartError(`the cluster at ${server} refuses us: ${describeSystemError(error)}`);
    if (error instanceof ApiError) throw new StartError(describeSystemError(error));
    throw error;
  }
}
