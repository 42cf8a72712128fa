import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { aggregateHealth } from './aggregate-health.ts';
import type { HealthItem } from './aggregate-health.ts';
import type { HealthStatusCode } from './health-status.ts';

function item(status: HealthStatusCode | undefined, annotations: Record<string, string> = {}, kind = 'Pod'): HealthItem {
  const apiVersion = kind === 'Application' ? 'argoproj.io/v1alpha1' : 'v1';
  const object: KubeObject = { apiVersion, kind, metadata: { name: 'one', namespace: 'ns', annotations } };
  return { desired: object, live: object, health: status && { status } };
}
const missing: HealthItem = { desired: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'gone' } } };

describe('The health of an application', () => {
  it.each<[string, readonly HealthItem[], HealthStatusCode]>([
    ['is that of its worst resource', [item('Healthy'), item('Suspended'), item('Progressing')], 'Progressing'],
    ['takes Missing for worse than Progressing', [item('Progressing'), item('Missing')], 'Missing'],
    ['takes Unknown for the worst', [item('Degraded'), item('Unknown')], 'Unknown'],
    ['is healthy without resources', [], 'Healthy'],
    ['does not count kinds without a rule', [item(undefined)], 'Healthy'],
    ['does not count what is missing beside what is there', [missing, item('Healthy')], 'Healthy'],
    ['is missing where nothing of it is there', [missing], 'Missing'],
    ['is missing where only a hook of it is there', [missing, item('Degraded', { 'argocd.argoproj.io/hook': 'PreSync' })], 'Missing'],
    ['does not count hooks', [item('Degraded', { 'argocd.argoproj.io/hook': 'PreSync' })], 'Healthy'],
    ['does not count tests of Helm', [item('Degraded', { 'helm.sh/hook': 'test' })], 'Healthy'],
    ['does not count what is skipped', [item('Degraded', { 'argocd.argoproj.io/hook': 'Skip' })], 'Healthy'],
    ['does not count what asks for that', [item('Degraded', { 'argocd.argoproj.io/ignore-healthcheck': 'true' })], 'Healthy'],
    ['does not count an application of which nothing is known', [item('Unknown', {}, 'Application')], 'Healthy'],
    ['counts another application that is degraded', [item('Degraded', {}, 'Application')], 'Degraded'],
  ])('%s', (_what, items, status) => expect(aggregateHealth(items)).toBe(status));

  it('does not count the application itself', () => {
    expect(aggregateHealth([item('Degraded', {}, 'Application')], { application: { namespace: 'ns', name: 'one' } })).toBe('Healthy');
  });
});
