import type { ResourceType } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';

export const definitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** A kind of a test's own: definitions belong to the whole cluster, so each test brings a group that nobody else uses. */
export function widgetType(group: string): ResourceType {
  return { group, version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
}

export function widgetDefinition(group: string): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}

export function widget(group: string, metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion: `${group}/v1`, kind: 'Widget', metadata };
}
