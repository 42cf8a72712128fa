import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../../test/support/embedded.ts';
import type { TestApi } from '../../../../test/support/embedded.ts';
import type { DiscoveredResource } from '../../../kube/index.ts';
import { columnsOf } from './columns-of.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
});
afterAll(() => test.stop());

async function namesOf(plural: string, group: string): Promise<readonly string[]> {
  const { resources } = await test.api.discover();
  const resource = resources.find((candidate) => candidate.group === group && candidate.plural === plural) as DiscoveredResource;
  return (await columnsOf(test.api, resource)).map(({ name }) => name);
}

describe('the columns of a kind', () => {
  it('are those of its definition, also in a group of Kubernetes', async () => {
    const definitions = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
      namespaced: false,
    };
    const group = 'gateway.networking.k8s.io';
    const additionalPrinterColumns = [{ name: 'Class', type: 'string', jsonPath: '.spec.gatewayClassName' }];
    const schema = { openAPIV3Schema: { type: 'object' } };
    await test.api.create(definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gateways.${group}`, annotations: { 'api-approved.kubernetes.io': 'https://example.com' } },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'gateways', kind: 'Gateway' },
        versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }],
      },
    });
    expect(await namesOf('gateways', group)).toEqual(['Name', 'Class']);
    expect(await namesOf('storageclasses', 'storage.k8s.io')).toEqual(['Name', 'Age']);
  });
});
