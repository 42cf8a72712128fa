/** What keeps things as they should be: reconcilers that read the home API and the clusters, and write to them. */
export { createApplicationController } from './application/application-controller.ts';
export { createApplicationSetController } from './applicationset/application-set-controller.ts';
export { createApplicationSetGenerators } from './applicationset/create-generators.ts';
export { createProviderGenerators } from './applicationset/providers/index.ts';
export { createPreview } from './applicationset/create-preview.ts';
export { createInspector } from './application/inspector.ts';
export { createClusterLabels } from './clusters/cluster-labels.ts';
export { createShadowLedger } from './shadow/shadow-ledger.ts';
export { createShadowReconcile } from './shadow/shadow-reconcile.ts';
export { createShadowSets } from './shadow/shadow-sets.ts';
export type { ApplicationController, ApplicationControllerOptions } from './application/application-controller.ts';
export type { ApplicationMeter } from './application/application-meter.ts';
export type { ControllerContext } from './application/controller-context.ts';
export type { ApplicationSetContext } from './applicationset/application-set-context.ts';
export type { ApplicationSetController } from './applicationset/application-set-controller.ts';
export type { Inspector } from './application/inspector.ts';
export type { ShadowLedger } from './shadow/shadow-ledger.ts';
export type { ShadowReport, ShadowVerdict } from './shadow/shadow-verdict.ts';
