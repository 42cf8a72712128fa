/** The clusters that applications go to: which are registered, how each is reached, and what lives in it right now. */
export { capabilitiesOf } from './capabilities-of.ts';
export { createClusters } from './create-clusters.ts';
export { createRegistry } from './registration/registry.ts';
export { objectKey } from './live/live-row.ts';
export type { Capabilities } from './capabilities-of.ts';
export type { Cluster, Clusters, ClustersChanged, ClustersLimits, ClustersOptions, Destination, HomeCluster } from './clusters.ts';
export type { KindTrouble, LiveCache, LiveCacheState, LiveChange, LiveTarget, TreeRow } from './live/live-cache.ts';
export type { LiveHealth, LiveOwner, LiveRow, ObjectKeyParts } from './live/live-row.ts';
export type { LiveRules } from './live/live-rules.ts';
export type { RegistrationEntry } from './registration/format-registration.ts';
export type { Registry, RegistryOptions } from './registration/registry.ts';
export type { Registration } from './registration/registration.ts';
export type { SchemaOf } from './schemas/cluster-schemas.ts';
