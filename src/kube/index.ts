/** A Kubernetes API client: verbs on any resource, discovery, list/watch caches that recover by themselves, a work queue. */
export {
  checkProxyUrl,
  checkServer,
  createCredentialSource,
  loadInCluster,
  loadKubeconfig,
  readClusterConfig,
  readInClusterConfig,
  readKubeconfig,
} from './credentials/index.ts';
export { actAs } from './act-as.ts';
export { createEventRecorder } from './events/event-recorder.ts';
export { openTunnel } from './http/index.ts';
export { createHttpKubeApi } from './http-kube-api.ts';
export { withLimit } from './with-limit.ts';
export { withQuietRefusals } from './with-quiet-refusals.ts';
export type {
  ClientCertificate,
  ClusterAccess,
  ClusterConfigOptions,
  CredentialPermissions,
  Credentials,
  CredentialSource,
  ExecPlugin,
  Identity,
  Impersonation,
  InClusterOptions,
  LoadKubeconfigOptions,
  Pem,
  PresentedCredentials,
  ReadKubeconfigOptions,
  ServerTrust,
  TlsMaterial,
} from './credentials/index.ts';
export type { EventNote, EventRecorder } from './events/event-recorder.ts';
export type { ExecEvent, ExecOptions, ExecSession } from './exec/index.ts';
export type { KubeLimits } from './http/index.ts';
export type { HttpKubeApi, HttpKubeApiOptions } from './http-kube-api.ts';
export type {
  CallOptions,
  DeleteOptions,
  DiscoveredResource,
  Discovery,
  GetOptions,
  KubeApi,
  ListOptions,
  LogOptions,
  ObjectList,
  ObjectRef,
  Patch,
  ReadOptions,
  ResourceType,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-api.ts';
export { createReflector } from './reflector/index.ts';
export type {
  Reflector,
  ReflectorCounts,
  ReflectorEvent,
  ReflectorLimits,
  ReflectorOptions,
  ReflectorState,
  Trouble,
  TroubleReason,
} from './reflector/index.ts';
export { createWorkQueue } from './queue/index.ts';
export type { WorkObserver, WorkQueue, WorkQueueCounts, WorkQueueOptions, WorkResult } from './queue/index.ts';
export { createLeaderElection, createMembership } from './lease/index.ts';
export type {
  LeaderElection,
  LeaderElectionOptions,
  LeaderState,
  LeaseTiming,
  Membership,
  MembershipOptions,
  MembershipView,
} from './lease/index.ts';
export { createObjectStore } from './store/index.ts';
export type { ObjectChange, ObjectStore, ObjectStoreOptions } from './store/index.ts';
