import type { WorkResult } from '../../kube/index.ts';
import { textAt } from '../json-path.ts';
import { createIfMissing } from './node.ts';
import { isLeaving } from './view.ts';
import type { View } from './view.ts';
import type { World } from './world.ts';

const ACCOUNT = 'default';
const ROOT_CERTIFICATES = 'kube-root-ca.crt';
const DESCRIPTION = 'Users of a cluster find its certificate authority here. This API is simulated and has none.';

/** Every namespace has an account for its pods, and a place where they would find the certificate authority of the API. */
export async function reconcileNamespace(world: World, namespace: View): Promise<WorkResult> {
  const { name } = namespace;
  if (isLeaving(namespace) || textAt(namespace.status, 'phase') === 'Terminating') return 'done';
  if (world.cache.get('ServiceAccount', name, ACCOUNT) === undefined)
    await createIfMissing(world, 'ServiceAccount', { metadata: { name: ACCOUNT, namespace: name } });
  if (world.cache.get('ConfigMap', name, ROOT_CERTIFICATES) === undefined) {
    const metadata = { name: ROOT_CERTIFICATES, namespace: name, annotations: { 'kubernetes.io/description': DESCRIPTION } };
    await createIfMissing(world, 'ConfigMap', { metadata, data: { 'ca.crt': '' } });
  }
  return 'done';
}
