import type { ObjectStore } from '../../kube/index.ts';
import { readApplicationSet, type ApplicationSet } from '../../model/index.ts';
import type { Registry } from './registry.ts';

/** Those that Prometheus' own clients take where nobody says otherwise. */
const reconcileBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface ApplicationSetMetricsOptions {
  readonly registry: Registry;
  readonly applicationSets: ObjectStore;
  /** Whether application sets of a namespace are looked after: others are not shown. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  /** Labels of application sets that are shown; without any, the metric of labels is not there. */
  readonly shownLabels: readonly string[];
}

/** What the controller tells of its work. */
export interface ApplicationSetMetrics {
  onReconciled(set: { readonly namespace: string; readonly name: string }, durationMs: number): void;
}

/** Figures of application sets under the names that dashboards and alerts of Argo CD know. */
export function createApplicationSetMetrics(options: ApplicationSetMetricsOptions): ApplicationSetMetrics {
  const { registry, shownLabels } = options;
  const gauge = (name: string, help: string, labels: readonly string[], row: (set: ApplicationSet) => [readonly string[], number]): void =>
    registry.readRows({
      name,
      help,
      type: 'gauge',
      labels: ['namespace', 'name', ...labels],
      *rows() {
        for (const set of listSets(options)) {
          const [values, value] = row(set);
          yield [[set.metadata.namespace ?? '', set.metadata.name ?? '', ...values], value];
        }
      },
    });
  gauge('argocd_appset_info', 'Information about an application set.', ['resource_update_status'], (set) => [[updateStatusOf(set)], 1]);
  gauge('argocd_appset_owned_applications', 'Number of applications that an application set owns.', [], ({ status }) => [
    [],
    status?.resourcesCount ?? status?.resources?.length ?? 0,
  ]);
  if (shownLabels.length > 0)
    gauge(
      'argocd_appset_labels',
      'Labels of an application set.',
      shownLabels.map((label) => `label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`),
      ({ metadata }) => [shownLabels.map((label) => metadata.labels?.[label] ?? ''), 1],
    );
  const reconciles = registry.histogram({
    name: 'argocd_appset_reconcile',
    help: 'Seconds that looking at an application set took.',
    labels: ['namespace', 'name'],
    buckets: reconcileBuckets,
  });
  return {
    onReconciled({ namespace, name }, durationMs) {
      reconciles.at(namespace, name).observe(durationMs / 1_000);
    },
  };
}

function* listSets({ applicationSets, isNamespaceEnabled }: ApplicationSetMetricsOptions): Iterable<ApplicationSet> {
  for (const object of applicationSets.values()) if (isNamespaceEnabled(object.metadata.namespace ?? '')) yield readApplicationSet(object);
}

/** The reason of the condition that says whether its applications are as they should be. */
function updateStatusOf({ status }: ApplicationSet): string {
  return status?.conditions?.find(({ type }) => type === 'ResourcesUpToDate')?.reason ?? 'Unknown';
}
