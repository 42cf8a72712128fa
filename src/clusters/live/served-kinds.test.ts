import { describe, expect, it } from 'vitest';
import type { DiscoveredResource, Discovery, ReflectorEvent } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { StoredRow } from './make-row.ts';
import { ServedKinds } from './served-kinds.ts';

const definitionType = { group: 'apiextensions.k8s.io', version: 'v1', plural: '', kind: 'CustomResourceDefinition', namespaced: false };
const serviceType = { group: 'apiregistration.k8s.io', version: 'v1', plural: '', kind: 'APIService', namespaced: false };

function definition(generation: number, established: boolean, served: readonly string[] = ['v1']): KubeObject {
  const versions = ['v1', 'v2'].map((name) => ({ name, served: served.includes(name) }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org', uid: 'u', generation },
    spec: { group: 'example.org', names: { plural: 'widgets' }, versions },
    status: { conditions: [{ type: 'Established', status: established ? 'True' : 'False' }] },
  };
}

function apiService(available: boolean, service: object | undefined): KubeObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.example.org', uid: 'u' },
    spec: { group: 'example.org', version: 'v1', ...(service && { service }) },
    status: { conditions: [{ type: 'Available', status: available ? 'True' : 'False' }] },
  } as KubeObject;
}

function event(type: 'added' | 'removed', object: KubeObject): ReflectorEvent<StoredRow> {
  const row = { name: object.metadata.name } as StoredRow;
  return { type, key: '', row, object };
}

function resource(plural: string, version = 'v1'): DiscoveredResource {
  return { group: 'example.org', version, plural } as DiscoveredResource;
}

function discovery(...plurals: string[]): Discovery {
  return { resources: plurals.map((plural) => resource(plural)), failures: [] };
}

describe('the kinds that a cluster serves', () => {
  it('are asked for when a definition is in force, until they are shown', () => {
    const served = new ServedKinds();
    expect(served.note(definitionType, event('added', definition(1, false)))).toBe(true);
    expect(served.isFulfilled(discovery())).toBe(true);
    expect(served.note(definitionType, event('added', definition(1, true)))).toBe(true);
    expect(served.isFulfilled(discovery())).toBe(false);
    expect(served.isFulfilled(discovery('widgets'))).toBe(true);
  });

  it('are not asked for again by a change that says nothing of kinds, and are by a new version', () => {
    const served = new ServedKinds();
    served.note(definitionType, event('added', definition(1, true)));
    expect(served.note(definitionType, event('added', definition(1, true)))).toBe(false);
    expect(served.note(definitionType, event('added', definition(2, true)))).toBe(true);
  });

  it('are asked for until every version is shown that a definition serves', () => {
    const served = new ServedKinds();
    served.note(definitionType, event('added', definition(1, true)));
    expect(served.isFulfilled(discovery('widgets'))).toBe(true);
    served.note(definitionType, event('added', definition(2, true, ['v1', 'v2'])));
    expect(served.isFulfilled(discovery('widgets'))).toBe(false);
    expect(served.isFulfilled({ resources: [resource('widgets'), resource('widgets', 'v2')], failures: [] })).toBe(true);
  });

  it('are those that a definition serves for as long as it is in force, whatever is shown', () => {
    const served = new ServedKinds();
    const isDefined = () => [served.isDefined(resource('widgets')), served.isDefined(resource('widgets', 'v2'))];
    expect(isDefined()).toEqual([false, false]);
    served.note(definitionType, event('added', definition(1, true)));
    expect(isDefined()).toEqual([true, false]);
    served.note(definitionType, event('added', definition(2, true, ['v2'])));
    expect(isDefined()).toEqual([false, true]);
    served.note(definitionType, event('removed', definition(2, true, ['v2'])));
    expect(isDefined()).toEqual([false, false]);
  });

  it('are asked for when a definition has gone, until they are no longer shown', () => {
    const served = new ServedKinds();
    served.note(definitionType, event('added', definition(1, true)));
    served.isFulfilled(discovery('widgets'));
    expect(served.note(definitionType, event('removed', definition(1, true)))).toBe(true);
    expect(served.isFulfilled(discovery('widgets'))).toBe(false);
    expect(served.isFulfilled(discovery())).toBe(true);
  });

  it('are asked for when a server behind the API begins to answer, and not for those of the API itself', () => {
    const served = new ServedKinds();
    expect(served.note(serviceType, event('added', apiService(true, undefined)))).toBe(false);
    expect(served.note(serviceType, event('added', apiService(false, {})))).toBe(true);
    expect(served.isFulfilled(discovery())).toBe(true);
    expect(served.note(serviceType, event('added', apiService(true, {})))).toBe(true);
    expect(served.isFulfilled(discovery())).toBe(false);
    expect(served.isDefinitionOpen).toBe(false);
    served.note(definitionType, event('added', definition(1, true)));
    expect(served.isDefinitionOpen).toBe(true);
    served.giveUp();
    expect(served.isDefinitionOpen).toBe(false);
    expect(served.isFulfilled(discovery())).toBe(true);
  });
});
