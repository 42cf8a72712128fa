/** The Kubernetes API in this process, on one SQLite file: objects, versions, watches, patches, garbage collection; no containers run. */
export { openEmbeddedApi } from './open-embedded-api.ts';
export type { EmbeddedApi, EmbeddedControllers, EmbeddedLimits, EmbeddedOptions, LogSource } from './embedded-api.ts';
export type { Kind, KindDefinition, KindRules, RuleContext, ScalePaths, StorageForm } from './kinds/kind.ts';
export type { KindRegistry } from './kinds/kind-registry.ts';
export type { Change } from './storage/store.ts';
export type { Reviewer } from './reviews/answer-review.ts';
export type { TextList } from './verbs/list.ts';
export type { EmbeddedWriteOptions, Random } from './verbs/verb-context.ts';
export type { EmbeddedWatchOptions } from './watch/watch-objects.ts';
export { BEHAVIOR_ANNOTATION, DELAY_ANNOTATION, NODE_NAME, startWorkloads } from './workloads/index.ts';
export type { WorkloadOptions, Workloads } from './workloads/index.ts';
