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
