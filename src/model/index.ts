/** Application, AppProject and ApplicationSet as values: what their kinds are, what is valid, and what a project allows. Pure. */
export { customResourceDefinitions, definitionsVersion, definitionsVersionAnnotation } from './custom-resource-definitions.ts';
export { allowedChangesOf, applicationSetToObject, effectivePolicy, findUnknownGenerators, readApplicationSet } from './application-set.ts';
export {
  describeProblems,
  findManagedByUrlProblem,
  findProjectProblems,
  findForbiddenSources,
  findSpecProblems,
} from './application-conditions.ts';
export { DestinationError, findDestination, inClusterName, inClusterServer, normalizeServer } from './destination.ts';
export { compileDoubleStar } from './double-star.ts';
export { compileGlob, isNegation, matchesGlob, matchesGlobOrNegation } from './glob.ts';
export { applicationInstanceName, applicationQualifiedName, parseInstanceName } from './instance-name.ts';
export { normalizeRepositoryUrl } from './normalize-repository-url.ts';
export { normalizeSpec, sameApplication } from './normalize-application.ts';
export { describePin, pinAnnotations, readPin } from './pin.ts';
export { chooseActor } from './project/choose-actor.ts';
export { findGlobalProjects, withGlobalProjects } from './project/global-projects.ts';
export {
  matchesNamespace,
  permitsApplicationNamespace,
  permitsDestination,
  permitsKind,
  permitsLiveResource,
  permitsSource,
} from './project/permits.ts';
export { findProjectToken, projectTokensOf, withOwnTokens, withProjectTokens, withTokensOf } from './project/project-tokens.ts';
export { validateProject, withNormalizedPolicies } from './project/validate-project.ts';
export { parseDuration } from './parse-duration.ts';
export { applicationToObject, projectToObject, readApplication, readProject } from './read-objects.ts';
export { applicationSetType, applicationType, appProjectType } from './resource-types.ts';
export { hasMultipleSources, sourcesOf, sourcesOfSpec } from './sources-of.ts';
export { nextSyncTime } from './sync-windows/next-sync-time.ts';
export { nextWindowChange } from './sync-windows/next-window-change.ts';
export { canSync, checkSyncWindow, isWindowActive, SyncWindowError, windowsFor, windowTimes } from './sync-windows/sync-windows.ts';
export type {
  Application,
  ApplicationCondition,
  ApplicationDestination,
  ApplicationSet,
  ApplicationSetApplicationStatus,
  ApplicationSetCondition,
  ApplicationSetGenerator,
  ApplicationSetStatus,
  ApplicationSource,
  ApplicationSpec,
  ApplicationStatus,
  ApplicationSummary,
  ApplicationTree,
  AppProject,
  AppProjectSpec,
  HealthStatus,
  ManagedNamespaceMetadata,
  Operation,
  OperationState,
  ResourceDiff,
  ResourceIgnoreDifferences,
  ResourceNetworkingInfo,
  ResourceNode,
  ResourceRef,
  ResourceResult,
  ResourceStatus,
  RetryStrategy,
  RevisionHistory,
  SyncOperation,
  SyncOperationResource,
  SyncOperationResult,
  SyncPolicy,
  SyncStatus,
  SyncWindow,
} from '../contract/index.ts';
export type { AllowedChanges } from './application-set.ts';
export type { SpecProblem } from './application-conditions.ts';
export type { ClusterIdentity } from './destination.ts';
export type { GlobalProject } from './project/global-projects.ts';
export type { ProjectTokenName } from './project/project-tokens.ts';
export type { ProjectSurroundings, ResourceToPermit, ScopedCluster } from './project/permits.ts';
export type { CustomResourceType } from './resource-types.ts';
export type { SyncTime } from './sync-windows/sync-windows.ts';
