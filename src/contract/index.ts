/** The API contract: its messages and methods as data, and the codec between wire bytes and Kubernetes-style JSON. */
export { messageCodec } from './codec/message-codec.ts';
export type { MessageCodec } from './codec/message-codec.ts';
export type { JsonObject, JsonValue } from './codec/json-value.ts';
export { parseJsonText } from './codec/parse-json-text.ts';
export { readCustomSchemas } from './custom-schemas.ts';
export { methods } from './gen/schema.ts';
export { readOpenApiDocument } from './open-api-document.ts';
export type { CustomSchemas } from './custom-schemas.ts';
export type { FieldSchema, HttpBinding, HttpVerb, MessageSchema, MethodSchema } from './schema.ts';
export type {
  Account,
  AccountService,
  Application,
  ApplicationCondition,
  ApplicationDestination,
  ApplicationDestinationServiceAccount,
  ApplicationSet,
  ApplicationSource,
  ApplicationSpec,
  ApplicationStatus,
  ApplicationSummary,
  ApplicationTree,
  AppProject,
  AppProjectSpec,
  AppProjectStatus,
  ClusterResourceRestrictionItem,
  GroupKind,
  HealthStatus,
  HostInfo,
  Info,
  InfoItem,
  LoadBalancerIngress,
  ManagedNamespaceMetadata,
  Operation,
  OperationInitiator,
  OperationState,
  OrphanedResourcesMonitorSettings,
  ResourceDiff,
  ResourceIgnoreDifferences,
  ResourceNetworkingInfo,
  ResourceNode,
  ResourceRef,
  ResourceResult,
  ResourceStatus,
  RetryStrategy,
  RevisionHistory,
  SessionService,
  Settings,
  SettingsService,
  SyncOperation,
  SyncOperationResource,
  SyncOperationResult,
  SyncPolicy,
  SyncPolicyAutomated,
  SyncStatus,
  SyncWindow,
  VersionService,
} from './gen/types.ts';
