import { describe, expect, it } from 'vitest';
import type { DiscoveredResource } from '../../kube/index.ts';
import { chooseKinds, chosenKindId, type ChooseKindsOptions } from './choose-kinds.ts';
import { isKindIncluded } from './kind-filter.ts';

const server = 'https://one.example.org';
const everything: ChooseKindsOptions = { exclusions: [], inclusions: [], server, namespaces: [], clusterResources: false };

function resource(group: string, version: string, plural: string, more: Partial<DiscoveredResource> = {}): DiscoveredResource {
  const kind = plural.replace(/s$/, '').replace(/^./, (letter) => letter.toUpperCase());
  const verbs = ['get', 'list', 'watch'];
  return {
    group,
    version,
    plural,
    kind,
    singular: '',
    shortNames: [],
    categories: [],
    subresources: [],
    verbs,
    namespaced: true,
    preferred: true,
    ...more,
  };
}

const ids = (resources: readonly DiscoveredResource[], options: Partial<ChooseKindsOptions> = {}): string[] =>
  chooseKinds(resources, { ...everything, ...options }).map(chosenKindId);

describe('the kinds that are followed', () => {
  it('are those that can be listed and watched, each once in the version that its group prefers', () => {
    const resources = [
      resource('', 'v1', 'pods'),
      resource('', 'v1', 'bindings', { verbs: ['create'] }),
      resource('metrics.example.org', 'v1', 'samples', { verbs: ['list'] }),
      resource('apps', 'v1beta1', 'deployments', { preferred: false }),
      resource('apps', 'v1', 'deployments'),
      resource('apps', 'v1beta1', 'olds', { preferred: false }),
    ];
    expect(ids(resources)).toEqual(['/v1/pods/', 'apps/v1/deployments/', 'apps/v1beta1/olds/']);
  });

  it('are followed in each namespace, and without one only where that is wanted', () => {
    const resources = [resource('', 'v1', 'pods'), resource('', 'v1', 'nodes', { namespaced: false })];
    const namespaces = ['a', 'b'];
    expect(ids(resources, { namespaces })).toEqual(['/v1/pods/a', '/v1/pods/b']);
    expect(ids(resources, { namespaces, clusterResources: true })).toEqual(['/v1/pods/a', '/v1/pods/b', '/v1/nodes/']);
  });
});

describe('a kind', () => {
  const filter = (apiGroups: string[], kinds: string[], clusters: string[] = []) => ({ apiGroups, kinds, clusters });
  const pod = { group: '', kind: 'Pod' };
  const deployment = { group: 'apps', kind: 'Deployment' };

  it.each([
    ['is looked at unless somebody says otherwise', pod, {}, true],
    ['is never looked at in a group of events', { group: 'events.k8s.io', kind: 'Event' }, {}, false],
    ['is never looked at in a group of measurements', { group: 'metrics.k8s.io', kind: 'PodMetrics' }, {}, false],
    ['is never looked at where it is an event', { group: '', kind: 'Event' }, {}, false],
    ['is never looked at where it is a lease', { group: 'coordination.k8s.io', kind: 'Lease' }, {}, false],
    ['is not looked at where it is excluded by name', pod, { exclusions: [filter([''], ['Pod'])] }, false],
    ['is looked at where another of its group is excluded', pod, { exclusions: [filter([''], ['Secret'])] }, true],
    ['is not looked at where all of its group are excluded', deployment, { exclusions: [filter(['app*'], ['*'])] }, false],
    ['is not looked at where empty lists exclude everything', deployment, { exclusions: [filter([], [])] }, false],
    ['is looked at where it is excluded for others', pod, { exclusions: [filter([''], ['Pod'], ['https://two*'])] }, true],
    ['is not looked at where it is excluded here', pod, { exclusions: [filter([''], ['Pod'], ['https://one*'])] }, false],
    ['is looked at where it is included', pod, { inclusions: [filter([''], ['Pod'])] }, true],
    ['is not looked at where only others are included', deployment, { inclusions: [filter([''], ['Pod'])] }, false],
    ['is looked at where inclusions are for others', deployment, { inclusions: [filter([''], ['Pod'], ['https://two*'])] }, true],
    ['is not looked at where both say it', pod, { inclusions: [filter([''], ['*'])], exclusions: [filter([''], ['Pod'])] }, false],
  ])('%s', (_title, kind, options, expected) => {
    expect(isKindIncluded(kind, { exclusions: [], inclusions: [], server, ...options })).toBe(expected);
  });
});
