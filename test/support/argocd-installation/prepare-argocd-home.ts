import { parse } from 'yaml';
import { hashPassword } from '../../../src/access/index.ts';
import { systemClock } from '../../../src/base/index.ts';
import type { HttpKubeApi, ResourceType } from '../../../src/kube/index.ts';
import type { JsonObject } from '../../../src/objects/index.ts';
import { installDefinitions, prepareHome } from '../../../src/settings/index.ts';
import { quietLog } from '../cluster/shared-cluster.ts';
import { readArgocdDefinitions } from './argocd-module.ts';

const DEFINITION: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** What Argo CD expects on a control plane before it starts: the definitions of its release, and the objects of its namespace. */
export async function prepareArgocdHome(api: HttpKubeApi, firstPassword: string): Promise<void> {
  for (const text of readArgocdDefinitions()) {
    const body = parse(text) as JsonObject;
    const { name = '' } = body['metadata'] as { name?: string };
    await api.patch(DEFINITION, { name }, { type: 'apply', body, force: true }, { fieldManager: 'argocd-install' });
  }
  // Finds theirs, and waits until they are served.
  await installDefinitions({ api, log: quietLog });
  await prepareHome({ api, namespace: 'argocd', clock: systemClock, log: quietLog, hashPassword, firstPassword });
}
