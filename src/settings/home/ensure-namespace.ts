import type { KubeApi } from '../../kube/index.ts';
import { isStatusError } from '../../objects/index.ts';
import { namespaceType } from '../home-objects.ts';

const callTimeoutMs = 30_000;

/** Makes a namespace where it is missing. Where we may not look, it counts as there: what is done in it will tell. */
export async function ensureNamespace(api: KubeApi, name: string): Promise<void> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  try {
    await api.get(namespaceType, { name }, { signal });
    return;
  } catch (error) {
    if (isStatusError(error, 'Forbidden')) return;
    if (!isStatusError(error, 'NotFound')) throw error;
  }
  try {
    await api.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { signal });
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
  }
}
