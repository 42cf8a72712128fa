import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasCondition,
  openApplicationSetPlane,
  templateOf,
  type ApplicationSetPlane,
} from '../../../test/support/application-set-plane.ts';
import { createApplicationSetMetrics } from './application-set-metrics.ts';
import { createRegistry } from './registry.ts';

let sets: ApplicationSetPlane;

beforeAll(async () => {
  sets = await openApplicationSetPlane();
  sets.start();
  const generators = [{ list: { elements: [{ n: 'a' }, { n: 'b' }] } }];
  await sets.create('good', { generators, template: templateOf('good-{{n}}') }, { labels: { team: 'red', 'app.example.com/tier': '1' } });
  await sets.create('bad', { generators: [{ list: { elements: ['x'] } }], template: templateOf('bad-{{n}}') });
  await sets.waitFor('good', (set) => hasCondition(set, 'ResourcesUpToDate', 'True'));
  await sets.waitFor('bad', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
});
afterAll(() => sets.close());

function show(options: { readonly shownLabels?: readonly string[]; readonly isNamespaceEnabled?: () => boolean } = {}) {
  const registry = createRegistry();
  const { applicationSets } = sets;
  const metrics = createApplicationSetMetrics({
    registry,
    applicationSets,
    isNamespaceEnabled: () => true,
    shownLabels: [],
    ...options,
  });
  return { metrics, lines: () => registry.render().split('\n') };
}

describe('the metrics of application sets', () => {
  it('have the names and labels that dashboards know', () => {
    expect(show().lines()).toEqual(
      expect.arrayContaining([
        '# TYPE argocd_appset_info gauge',
        'argocd_appset_info{namespace="argocd",name="good",resource_update_status="ApplicationSetUpToDate"} 1',
        'argocd_appset_info{namespace="argocd",name="bad",resource_update_status="ErrorOccurred"} 1',
        'argocd_appset_owned_applications{namespace="argocd",name="good"} 2',
        'argocd_appset_owned_applications{namespace="argocd",name="bad"} 0',
      ]),
    );
  });

  it('show those labels that are asked for, under names that Prometheus takes', () => {
    expect(show().lines().join('\n')).not.toContain('argocd_appset_labels');
    expect(show({ shownLabels: ['team', 'app.example.com/tier'] }).lines()).toEqual(
      expect.arrayContaining([
        'argocd_appset_labels{namespace="argocd",name="good",label_team="red",label_app_example_com_tier="1"} 1',
        'argocd_appset_labels{namespace="argocd",name="bad",label_team="",label_app_example_com_tier=""} 1',
      ]),
    );
  });

  it('tell how long each look took', () => {
    const { metrics, lines } = show();
    metrics.onReconciled({ namespace: 'argocd', name: 'good' }, 30);
    metrics.onReconciled({ namespace: 'argocd', name: 'good' }, 20_000);
    expect(lines()).toEqual(
      expect.arrayContaining([
        'argocd_appset_reconcile_bucket{namespace="argocd",name="good",le="0.025"} 0',
        'argocd_appset_reconcile_bucket{namespace="argocd",name="good",le="0.05"} 1',
        'argocd_appset_reconcile_bucket{namespace="argocd",name="good",le="10"} 1',
        'argocd_appset_reconcile_bucket{namespace="argocd",name="good",le="+Inf"} 2',
        'argocd_appset_reconcile_sum{namespace="argocd",name="good"} 20.03',
      ]),
    );
  });

  it('leave those out that are in namespaces of others', () => {
    expect(
      show({ isNamespaceEnabled: () => false })
        .lines()
        .join('\n'),
    ).not.toContain('name="good"');
  });
});
