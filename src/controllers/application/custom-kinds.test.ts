import { expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { loadCustomKinds } from './custom-kinds.ts';

type Cluster = Parameters<typeof loadCustomKinds>[0];

/** A cluster whose definition of widgets has a required field. */
function clusterOf(server: string, required: string): Cluster {
  const openAPIV3Schema = { type: 'object', required: [required], properties: { [required]: { type: 'string' } } };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [{ name: 'v1', schema: { openAPIV3Schema } }] },
  };
  const type = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
  const row = { uid: 'the same', resourceVersion: '7', body };
  return { server, api: {}, cache: { typeOf: () => type, find: () => row } } as unknown as Cluster;
}

it('A cluster that copies the uid of a definition gives another cluster no schema (K8S-03)', async () => {
  const widget: KubeObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
  const load = (cluster: Cluster) => loadCustomKinds(cluster, { objects: [widget], desired: [], signal: new AbortController().signal });
  const theirs = await load(clusterOf('https://theirs', 'ransom'));
  const ours = await load(clusterOf('https://ours', 'size'));
  expect([...(theirs(widget)?.schema.properties?.keys() ?? [])]).toContain('ransom');
  expect([...(ours(widget)?.schema.properties?.keys() ?? [])]).toEqual(['size']);
});
