/** A Kubernetes API client: verbs on any resource, discovery, list/watch caches that recover by themselves, a work queue. */
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
