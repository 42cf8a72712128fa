/** What differs, how it is, how it hangs together and what to do about it: decisions on values. Pure: no I/O, no clock, no chance. */
export { listActions } from './actions/list-actions.ts';
export { ActionError } from './actions/resource-action.ts';
export { runAction } from './actions/run-action.ts';
export { annotations, hookFinalizer } from './annotations.ts';
export { compareApplication, compareInParts, toResourceStatus } from './compare/compare-application.ts';
export { compareObject } from './compare/compare-object.ts';
export { defaultCompareRules, ignoreRulesOfSettings, knownTypesOfSettings } from './compare/compare-rules.ts';
export { findDifferences } from './compare/find-differences.ts';
export { removeJqPaths } from './compare/remove-jq-paths.ts';
export { respectIgnoredDifferences } from './compare/respect-ignored-differences.ts';
export { needsManagedFields } from './compare/owned-fields.ts';
export { fieldManager } from './compare/predict-live.ts';
export { toResourceDiff } from './compare/resource-diff.ts';
export { aggregateHealth } from './health/aggregate-health.ts';
export { assessHealth } from './health/assess-health.ts';
export { createHealthOf } from './health/custom-health.ts';
export { isSecret, maskSecret, maskSecrets } from './mask/mask-secrets.ts';
export { normalizeTargets } from './normalize-targets.ts';
export { formatKey, keyOf, kindOf } from './resource-key.ts';
export { createTasks, hookRunAnnotation } from './sync/create-tasks.ts';
export { hookDeletePoliciesOf, hookTypesOf, isDeleteHook, isHook, isSkipped, syncWaveOf } from './sync/hooks.ts';
export { planNamespace } from './sync/plan-namespace.ts';
export {
  formatKitchenTime,
  mayRetry,
  parseDurationMs,
  restartMessage,
  retriedMessage,
  retryDelayMs,
  RetryDurationError,
  retryMessage,
} from './sync/plan-retry.ts';
export { concludeDryRun, planSyncStep } from './sync/plan-sync-step.ts';
export { concludeTermination, planTermination } from './sync/plan-termination.ts';
export { hasOption, hasOptionFor, objectHasOption, propagationPolicyOf, usesServerSideApply } from './sync/sync-options.ts';
export { recordOutcomes } from './sync/task-results.ts';
export { defaultTrackingRules, isOfAnother, isSelfReferenced, trackingOf, withTracking } from './tracking/tracking.ts';
export { formatTrackingId, parseTrackingId, TrackingIdError } from './tracking/tracking-id.ts';
export { buildTree, factsOf } from './tree/build-tree.ts';
export { describeHosts } from './tree/describe-hosts.ts';
export { isOrphan } from './tree/is-orphan.ts';
export { linksOf } from './tree/networking-info.ts';
export type { ActionResult } from './actions/resource-action.ts';
export type { ApplicationComparison, ApplicationToCompare, ManagedResource, SyncStatusCode } from './compare/compare-application.ts';
export type { ObjectComparison, ObjectToCompare } from './compare/compare-object.ts';
export type { ServerPrediction } from './compare/compare-predicted.ts';
export type { CompareRules, IgnoreRule } from './compare/compare-rules.ts';
export type { Difference, DifferenceCause, DifferencesInput } from './compare/find-differences.ts';
export type { KnownType } from './compare/known-types.ts';
export type { HealthItem } from './health/aggregate-health.ts';
export type { Health, HealthStatusCode } from './health/health-status.ts';
export type { NormalizedTargets, TargetsOptions } from './normalize-targets.ts';
export type { ResourceKey } from './resource-key.ts';
export type { SyncOperationFacts, TasksInput } from './sync/create-tasks.ts';
export type { HookDeletePolicy, HookType, SyncPhase } from './sync/hooks.ts';
export type { NamespaceInput } from './sync/plan-namespace.ts';
export type { SyncStage, SyncStep, SyncStepInput } from './sync/plan-sync-step.ts';
export type { Termination, TerminationEnd } from './sync/plan-termination.ts';
export type { SyncOption } from './sync/sync-options.ts';
export type { ResultStatus, SyncTask } from './sync/sync-task.ts';
export type { TaskOutcome } from './sync/task-results.ts';
export type { TrackingId } from './tracking/tracking-id.ts';
export type { Tracking, TrackingMethod, TrackingRules, TrackingTarget } from './tracking/tracking.ts';
export type { ResourceFacts, TreeEntry, TreeOptions, TreeSource } from './tree/build-tree.ts';
