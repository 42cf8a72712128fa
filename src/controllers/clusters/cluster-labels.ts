import type { Logger, Timers } from '../../base/index.ts';
import type { Cluster, Clusters } from '../../clusters/index.ts';
import { withQuietRefusals, type KubeApi, type ResourceType } from '../../kube/index.ts';
import type { Settings } from '../../settings/index.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const askingLabel = 'argocd.argoproj.io/auto-label-cluster-info';
const versionLabel = 'argocd.argoproj.io/kubernetes-version';
/** How often it is looked whether a cluster has another version. */
const lookMs = 10_000;

export interface ClusterLabelsOptions {
  readonly home: KubeApi;
  /** The namespace of the control plane. */
  readonly namespace: string;
  readonly clusters: Clusters;
  readonly settings: Settings;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Keeps the version of each cluster whose Secret asks for it in a label of that Secret, so that others can choose clusters by it. */
export interface ClusterLabels {
  start(): void;
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>;
}

export function createClusterLabels(options: ClusterLabelsOptions): ClusterLabels {
  const stopping = new AbortController();
  let cancel = (): void => undefined;
  let looking = Promise.resolve();

  const wait = (): void => {
    cancel = options.timers.schedule(lookMs, () => {
      looking = labelAll(options, stopping.signal).then(() => {
        if (!stopping.signal.aborted) wait();
      });
    });
  };

  return {
    start: wait,
    async stop() {
      stopping.abort();
      cancel();
      await looking;
    },
  };
}

/** One after the other: they are few, and rarely another. */
async function labelAll(options: ClusterLabelsOptions, signal: AbortSignal): Promise<void> {
  for (const cluster of options.clusters.list()) {
    const version = newVersionOf(cluster);
    if (version !== undefined && !signal.aborted) await label(options, cluster, version, signal);
  }
}

/** Undefined where nobody asks for it, where it is not known, and where it is written down already. */
function newVersionOf({ registration, cache }: Cluster): string | undefined {
  const { labels, secretName } = registration;
  if (secretName === undefined || labels[askingLabel] !== 'true') return undefined;
  const { serverVersion } = cache;
  return serverVersion === '' || labels[versionLabel] === serverVersion ? undefined : serverVersion;
}

async function label(
  { home, namespace, settings, log }: ClusterLabelsOptions,
  { server, registration: { secretName: name = '', resourceVersion } }: Cluster,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const body = { metadata: { resourceVersion, labels: { [versionLabel]: version } } };
  try {
    settings.noticeWrite(await withQuietRefusals(home).patch(SECRET, { namespace, name }, { type: 'merge', body }, { signal }));
  } catch (error) {
    // The next look tries it again, with the Secret as it is then.
    const reason = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) log.warn('the version of a cluster could not be written to its Secret', { server, reason });
  }
}
