import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProviderScene, type ProviderScene } from '../../../../test/support/provider-stubs/provider-scene.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { JsonValue } from '../../../objects/index.ts';
import { createRenderText } from '../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from './index.ts';

let scene: ProviderScene<ProviderOptions>;

const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const placements = { group: 'decisions.example.com', version: 'v1', plural: 'placements', kind: 'Placement', namespaced: true };

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  const { embedded } = scene.plane.home;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await embedded.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'placements.decisions.example.com' },
    spec: {
      group: placements.group,
      names: { plural: 'placements', singular: 'placement', kind: 'Placement', listKind: 'PlacementList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  for (const [name, server] of [
    ['east', 'https://east.example.com'],
    ['west', 'https://west.example.com'],
  ] as const)
    await scene.store('Secret', `cluster-${name}`, { name, server, config: '{}' }, { 'argocd.argoproj.io/secret-type': 'cluster' });
  await waitUntil(() => ['east', 'west'].every((name) => scene.plane.context.clusters.list().some((cluster) => cluster.name === name)));
  await scene.store('ConfigMap', 'decisions', {
    apiVersion: 'decisions.example.com/v1',
    kind: 'placements',
    statusListKey: 'decisions',
    matchKey: 'clusterName',
  });
});

afterAll(() => scene.close());

let count = 0;
async function place(status: JsonValue, labels: Record<string, string> = {}): Promise<string> {
  const name = `placement-${count++}`;
  await scene.plane.home.embedded.create(placements, {
    apiVersion: 'decisions.example.com/v1',
    kind: 'Placement',
    metadata: { name, namespace: 'argocd', labels },
    ...(status !== null && { status }),
  });
  return name;
}

const ask = (spec: object, goTemplate = true) =>
  scene.generate('clusterDecisionResource', { configMapRef: 'decisions', ...spec }, { goTemplate });

describe('A resource that decides about clusters', () => {
  it('yields those that are registered, with what it says of them', async () => {
    const name = await place({
      decisions: [{ clusterName: 'east', score: 7, spare: true }, { clusterName: 'nowhere' }, { clusterName: 'west', name: 'renamed' }],
    });
    const values = { tier: '{{not.rendered}}' };
    expect(await ask({ name, values })).toEqual([
      { name: 'east', server: 'https://east.example.com', clusterName: 'east', score: '7', spare: 'true', values },
      { name: 'renamed', server: 'https://west.example.com', clusterName: 'west', values },
    ]);
    expect((await ask({ name, values }, false))[0]).toMatchObject({ name: 'east', 'values.tier': '{{not.rendered}}' });
  });

  it('is chosen by name or by labels, and by one of them', async () => {
    await place({ decisions: [{ clusterName: 'west' }] }, { team: 'a' });
    await place({ decisions: [{ clusterName: 'east' }] }, { team: 'a' });
    const chosen = await ask({ labelSelector: { matchLabels: { team: 'a' } } });
    expect(chosen.map(({ name }) => String(name)).toSorted()).toEqual(['east', 'west']);
    const wrong = 'there is a problem with the definition of the ClusterDecisionResource generator';
    await expect(ask({})).rejects.toThrow(wrong);
    await expect(ask({ name: 'x', labelSelector: { matchLabels: { team: 'a' } } })).rejects.toThrow(wrong);
  });

  it('must be there, and must be described rightly', async () => {
    await expect(ask({ name: 'absent' })).rejects.toThrow('no clusterDecisionResources found');
    await expect(ask({ name: 'x', configMapRef: 'absent' })).rejects.toThrow('error reading configMapRef: configmaps "absent" not found');
    await scene.store('ConfigMap', 'no-kind', { apiVersion: 'decisions.example.com/v1' });
    await scene.store('ConfigMap', 'no-group', { apiVersion: 'v1', kind: 'placements' });
    for (const configMapRef of ['no-kind', 'no-group'])
      await expect(ask({ name: 'x', configMapRef })).rejects.toThrow(
        'there is a problem with the apiVersion, kind or resourceName provided',
      );
    await scene.store('ConfigMap', 'unknown', { apiVersion: 'none.example.com/v1', kind: 'nothings', matchKey: 'x' });
    await expect(ask({ name: 'x', configMapRef: 'unknown' })).rejects.toThrow('failed to get dynamic resources: ');
  });

  it('that has decided nothing yields nothing', async () => {
    expect(await ask({ name: await place(null) })).toEqual([]);
    expect(await ask({ name: await place({ decisions: [] }) })).toEqual([]);
    expect(await ask({ name: await place({ other: 1 }) })).toEqual([]);
    await scene.store('ConfigMap', 'no-key', { apiVersion: 'decisions.example.com/v1', kind: 'placements', statusListKey: 'decisions' });
    expect(await ask({ name: await place({ decisions: [{ clusterName: 'east' }] }), configMapRef: 'no-key' })).toEqual([]);
  });

  it.each([
    ['a text', 'east'],
    ['a list of texts', ['east']],
    ['an object', { clusterName: 'east' }],
    ['a list with nothing in it', [{ clusterName: 'east' }, null]],
  ])('APPSET-07: that decides with %s is an error, and no reason to delete anything', async (_what, decisions) => {
    await expect(ask({ name: await place({ decisions }) })).rejects.toThrow('is not a list of objects');
  });

  it('APPSET-07: that names a cluster whose Secret cannot be used is an error, and no reason to delete anything', async () => {
    const type = { 'argocd.argoproj.io/secret-type': 'cluster' };
    await scene.store('Secret', 'cluster-north', { name: 'north', server: 'https://north.example.com', config: '{' }, type);
    await waitUntil(() => scene.plane.settings.current.labelledSecrets.has('cluster-north'));
    await expect(ask({ name: await place({ decisions: [{ clusterName: 'east' }, { clusterName: 'north' }] }) })).rejects.toThrow(
      'cannot tell whether north is registered: the Secret cluster-north of a cluster cannot be used',
    );
    expect(await ask({ name: await place({ decisions: [{ clusterName: 'east' }, { clusterName: 'nowhere' }] }) })).toHaveLength(1);
  });

  it('APPSET-07: may name clusters by anything that has a text, and say anything of them', async () => {
    const decision = { clusterName: 'east', n: 1.5, z: null, deep: { a: [1, { b: 2 }] } };
    const [set] = await ask({
      name: await place({ decisions: [decision, { clusterName: 7 }, { clusterName: null }, { clusterName: ['east'] }, {}] }),
    });
    expect(set).toMatchObject({ name: 'east', n: '1.5', z: '<nil>', deep: 'map[a:[1 map[b:2]]]' });
  });
});
