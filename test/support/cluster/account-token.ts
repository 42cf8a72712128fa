import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { kinds } from '../kinds.ts';
import { waitUntil } from '../wait-until.ts';

/** Lets a namespace's service account `default` do everything. */
export async function bindAccount(api: HttpKubeApi, namespace: string): Promise<void> {
  await api.create(kinds.clusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
  });
}

/** A token of it that is kept in a Secret, as those that `argocd cluster add` makes. */
export async function createAccountToken(api: HttpKubeApi, namespace: string): Promise<string> {
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  const metadata = { generateName: 'default-token-', namespace, annotations };
  const type = 'kubernetes.io/service-account-token';
  const { metadata: made } = await api.create(kinds.secret, { apiVersion: 'v1', kind: 'Secret', type, metadata });
  return waitUntil(async () => {
    const { data } = await api.get(kinds.secret, { namespace, name: made.name ?? '' });
    const token = (data as { readonly token?: string } | undefined)?.token;
    return token === undefined ? undefined : Buffer.from(token, 'base64').toString('utf8');
  });
}
