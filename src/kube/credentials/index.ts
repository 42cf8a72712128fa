/** Where the right to talk to a cluster comes from: kubeconfig files, a pod's service account, the Secret of a registered cluster. */
export { checkProxyUrl, checkServer } from './check-credentials.ts';
export { readClusterConfig, readInClusterConfig } from './cluster-config.ts';
export { createCredentialSource } from './credential-source.ts';
export { loadInCluster } from './in-cluster.ts';
export { loadKubeconfig, readKubeconfig } from './load-kubeconfig.ts';
export type { CredentialPermissions } from './check-credentials.ts';
export type { ClusterConfigOptions } from './cluster-config.ts';
export type { CredentialSource, PresentedCredentials, TlsMaterial } from './credential-source.ts';
export type {
  ClientCertificate,
  ClusterAccess,
  Credentials,
  ExecPlugin,
  Identity,
  Impersonation,
  Pem,
  ServerTrust,
} from './credentials.ts';
export type { InClusterOptions } from './in-cluster.ts';
export type { LoadKubeconfigOptions, ReadKubeconfigOptions } from './load-kubeconfig.ts';
