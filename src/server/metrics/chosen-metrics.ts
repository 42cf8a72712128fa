import type { Clusters } from '../../clusters/index.ts';
import type { ObjectStore } from '../../kube/index.ts';
import { readApplication, type Application } from '../../model/index.ts';
import type { Registry } from './registry.ts';

/** What is shown only where somebody asked for it, as every value is a series of its own. */
export interface ChosenMetrics {
  /** Labels of applications; without any, the metric is not there. */
  readonly applicationLabels: readonly string[];
  /** Types of conditions. */
  readonly conditions: readonly string[];
  readonly clusterLabels: readonly string[];
}

export interface ChosenMetricsOptions {
  readonly registry: Registry;
  readonly applications: ObjectStore;
  readonly clusters: Clusters;
  readonly chosen: ChosenMetrics;
}

export function readChosenMetrics({ registry, applications, clusters, chosen }: ChosenMetricsOptions): void {
  const { applicationLabels, conditions, clusterLabels } = chosen;
  const names = ['namespace', 'name', 'project'];
  const all = function* (): Iterable<Application> {
    for (const object of applications.values()) yield readApplication(object);
  };
  if (applicationLabels.length > 0)
    registry.readRows({
      name: 'argocd_app_labels',
      help: 'Labels of an application.',
      type: 'gauge',
      labels: [...names, ...applicationLabels.map(toLabelName)],
      *rows() {
        for (const application of all()) {
          const { labels } = application.metadata;
          yield [[...namesOf(application), ...applicationLabels.map((label) => labels?.[label] ?? '')], 1];
        }
      },
    });
  if (conditions.length > 0)
    registry.readRows({
      name: 'argocd_app_condition',
      help: 'How many conditions of a type an application has.',
      type: 'gauge',
      labels: [...names, 'condition'],
      *rows() {
        for (const application of all())
          for (const condition of conditions) {
            const count = (application.status?.conditions ?? []).filter(({ type }) => type === condition).length;
            if (count > 0) yield [[...namesOf(application), condition], count];
          }
      },
    });
  if (clusterLabels.length > 0)
    registry.readRows({
      name: 'argocd_cluster_labels',
      help: 'Labels of a cluster.',
      type: 'gauge',
      labels: ['server', 'name', ...clusterLabels.map(toLabelName)],
      *rows() {
        for (const { server, name, registration } of clusters.list())
          yield [[server, name, ...clusterLabels.map((label) => registration.labels[label] ?? '')], 1];
      },
    });
}

/** Under a name that Prometheus takes. */
function toLabelName(label: string): string {
  return `label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`;
}

function namesOf({ metadata, spec }: Application): readonly string[] {
  return [metadata.namespace ?? '', metadata.name ?? '', spec.project || 'default'];
}
