/** The objects of an installation: their names, labels and types. */
import type { ResourceType } from '../kube/index.ts';

export const configMapType: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
export const secretType: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
export const namespaceType: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
export const projectType: ResourceType = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'appprojects',
  kind: 'AppProject',
  namespaced: true,
};

export const partOfLabel = 'app.kubernetes.io/part-of';
export const partOfValue = 'argocd';
export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

export const configMapNames = {
  general: 'argocd-cm',
  rbac: 'argocd-rbac-cm',
  parameters: 'argocd-cmd-params-cm',
  sshKnownHosts: 'argocd-ssh-known-hosts-cm',
  tlsCertificates: 'argocd-tls-certs-cm',
  gpgKeys: 'argocd-gpg-keys-cm',
} as const;

export const secretNames = {
  main: 'argocd-secret',
  initialAdmin: 'argocd-initial-admin-secret',
  serverTls: 'argocd-server-tls',
  revokedTokens: 'fairway-revoked-tokens',
  lockouts: 'fairway-lockouts',
} as const;

/** What a labelled Secret is for. */
export const labelledSecretTypes = ['repository', 'repo-creds', 'repository-write', 'repo-write-creds', 'cluster', 'scm-creds'] as const;
export type LabelledSecretType = (typeof labelledSecretTypes)[number];
