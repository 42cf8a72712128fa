import { expect, it } from 'vitest';
import type { Clusters } from '../../clusters/index.ts';
import type { ObjectStore } from '../../kube/index.ts';
import { readChosenMetrics, type ChosenMetrics } from './chosen-metrics.ts';
import { createRegistry } from './registry.ts';

const web = {
  metadata: { namespace: 'argocd', name: 'web', labels: { team: 'red', 'app.example.com/tier': '1' } },
  spec: { project: '' },
  status: {
    conditions: [
      { type: 'SyncError', message: 'a' },
      { type: 'SyncError', message: 'b' },
      { type: 'OrphanedResourceWarning', message: 'c' },
    ],
  },
};
const applications = { values: () => [web] } as unknown as ObjectStore;
const clusters = {
  list: () => [{ server: 'https://one', name: 'one', registration: { labels: { zone: 'north' } } }],
} as unknown as Clusters;

function lines(chosen: Partial<ChosenMetrics>): readonly string[] {
  const registry = createRegistry();
  readChosenMetrics({ registry, applications, clusters, chosen: { applicationLabels: [], conditions: [], clusterLabels: [], ...chosen } });
  return registry
    .render()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

it('shows nothing that nobody asked for', () => {
  expect(lines({})).toEqual([]);
});

it('shows the labels and conditions that somebody asked for, under the names that dashboards know', () => {
  expect(lines({ applicationLabels: ['team', 'app.example.com/tier', 'none'] })).toEqual([
    'argocd_app_labels{namespace="argocd",name="web",project="default",label_team="red",label_app_example_com_tier="1",label_none=""} 1',
  ]);
  expect(lines({ conditions: ['SyncError', 'ComparisonError'] })).toEqual([
    'argocd_app_condition{namespace="argocd",name="web",project="default",condition="SyncError"} 2',
  ]);
  expect(lines({ clusterLabels: ['zone'] })).toEqual(['argocd_cluster_labels{server="https://one",name="one",label_zone="north"} 1']);
});
