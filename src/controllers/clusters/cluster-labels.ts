import { backOffMs, type Logger, type Timers } from '../../base/index.ts';
import type { Cluster, Clusters } from '../../clusters/index.ts';
import { withQuietRefusals, type KubeApi, type ResourceType } from '../../kube/index.ts';
import { sameJson } from '../../objects/index.ts';
import type { LabelledSecret, Settings } from '../../settings/index.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const askingLabel = 'argocd.argoproj.io/auto-label-cluster-info';
const versionLabel = 'argocd.argoproj.io/kubernetes-version';
/** How often it is looked whether a cluster has another version. */
const lookMs = 10_000;
/** How long a Secret that could not be written is left alone. */
const backOff = { firstMs: lookMs, maxMs: 10 * 60_000 };

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

/** A Secret that could not be written. */
interface Failure {
  readonly count: number;
  readonly reason: string;
  /** It is not tried before. */
  readonly againMs: number;
}

/** By the name of the Secret. */
type Failures = Map<string, Failure>;

export function createClusterLabels(options: ClusterLabelsOptions): ClusterLabels {
  const stopping = new AbortController();
  const failures: Failures = new Map();
  let cancel = (): void => undefined;
  let looking = Promise.resolve();

  const wait = (): void => {
    cancel = options.timers.schedule(lookMs, () => {
      looking = labelAll(options, failures, stopping.signal).then(() => {
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

/** Whether the Secret of a cluster differs in nothing but the version of the cluster, which we write there ourselves. */
export function hasOnlyNewVersion(before: LabelledSecret | undefined, now: LabelledSecret | undefined): boolean {
  if (before === undefined || now === undefined || before.type !== 'cluster' || now.type !== 'cluster') return false;
  const others = ({ labels: { [versionLabel]: _version, ...labels }, annotations }: LabelledSecret) => ({ labels, annotations });
  const isSameData =
    before.data.size === now.data.size && [...now.data].every(([key, text]) => before.data.get(key)?.reveal() === text.reveal());
  return isSameData && before.uid === now.uid && sameJson(others(before), others(now));
}

/** One after the other: they are few, and rarely another. */
async function labelAll(options: ClusterLabelsOptions, failures: Failures, signal: AbortSignal): Promise<void> {
  const clusters = options.clusters.list();
  const present = new Set(clusters.map(({ registration }) => registration.secretName));
  for (const name of failures.keys()) if (!present.has(name)) failures.delete(name);
  for (const cluster of clusters) {
    const { secretName: name = '' } = cluster.registration;
    const version = newVersionOf(cluster);
    const before = failures.get(name);
    if (version === undefined || signal.aborted || (before !== undefined && before.againMs > options.timers.nowMs())) continue;
    const reason = await label(options, cluster, version, signal);
    if (reason === undefined || signal.aborted) failures.delete(name);
    else failures.set(name, noteFailure(options, cluster, { before, reason }));
  }
}

/** What stays as it is has been told. */
function noteFailure(
  { timers, log }: ClusterLabelsOptions,
  { server }: Cluster,
  { before, reason }: { readonly before: Failure | undefined; readonly reason: string },
): Failure {
  if (before?.reason !== reason) log.warn('the version of a cluster could not be written to its Secret', { server, reason });
  const count = (before?.count ?? 0) + 1;
  return { count, reason, againMs: timers.nowMs() + backOffMs(backOff, count, () => 0) };
}

/** Undefined where nobody asks for it, where it is not known, and where it is written down already. */
function newVersionOf({ registration, cache }: Cluster): string | undefined {
  const { labels, secretName } = registration;
  if (secretName === undefined || labels[askingLabel] !== 'true') return undefined;
  const { serverVersion } = cache;
  return serverVersion === '' || labels[versionLabel] === serverVersion ? undefined : serverVersion;
}

/** Undefined where it was written, and otherwise why not: a later look tries it again, with the Secret as it is then. */
async function label(
  { home, namespace, settings }: ClusterLabelsOptions,
  { registration: { secretName: name = '', resourceVersion } }: Cluster,
  version: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = { metadata: { resourceVersion, labels: { [versionLabel]: version } } };
  try {
    settings.noticeWrite(await withQuietRefusals(home).patch(SECRET, { namespace, name }, { type: 'merge', body }, { signal }));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
