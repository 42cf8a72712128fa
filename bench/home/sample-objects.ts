import type { KubeApi, ResourceType } from '../../src/kube/index.ts';
import { isStatusError } from '../../src/objects/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { createRealisticApplications } from '../support/realistic-applications.ts';

export const NAMESPACE = 'bench';

export const types = {
  configMaps: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
  applications: { group: 'argoproj.io', version: 'v1alpha1', plural: 'applications', kind: 'Application', namespaced: true },
  namespaces: { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
  definitions: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
  },
} as const satisfies Record<string, ResourceType>;

/** About half a kilobyte, as most are. */
export function createConfigMap(name: string, namespace = NAMESPACE): KubeObject {
  const labels = { 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/part-of': `team-${name.length}` };
  const data = { 'settings.yaml': `name: ${name}\n${'option: value of an option\n'.repeat(12)}`, revision: '0' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data };
}

/** About 8 KB each, without what only a server sets, and with names that a cluster takes. */
export function createApplications(count: number, namespace = NAMESPACE): readonly KubeObject[] {
  return createRealisticApplications(count).map((application, index) => {
    const plain = JSON.parse(JSON.stringify(application).replaceAll('ü', 'ue')) as JsonObject;
    const { annotations, finalizers: _finalizers, labels } = plain['metadata'] as JsonObject;
    const metadata = { name: applicationName(index), namespace, labels, annotations };
    return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...plain, metadata } as unknown as KubeObject;
  });
}

export function applicationName(index: number): string {
  return `application-${String(index).padStart(5, '0')}`;
}

/** Makes the namespaces, and the kind of applications where the API does not have it. */
export async function prepareApi(api: KubeApi, definition: KubeObject): Promise<void> {
  for (const name of [NAMESPACE, `${NAMESPACE}-warm`])
    await unlessThere(api.create(types.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const { metadata, ...rest } = definition;
  const { name = '', annotations } = metadata;
  const fresh = { ...rest, metadata: { name, ...(annotations && { annotations }) } } as unknown as KubeObject;
  await unlessThere(api.create(types.definitions, fresh));
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await api.list(types.applications, { namespace: NAMESPACE });
      return;
    } catch (error) {
      if (!isStatusError(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('the kind of applications is not served');
}

async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
  }
}
