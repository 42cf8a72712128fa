import type { Policy } from '../access/index.ts';
import { systemTimers, type Clock, type Logger } from '../base/index.ts';
import type { Clusters } from '../clusters/index.ts';
import {
  createApplicationSetController,
  createApplicationSetGenerators,
  createPreview,
  createProviderGenerators,
  createShadowSets,
  type ShadowLedger,
} from '../controllers/index.ts';
import { createEventRecorder, type ObjectStore } from '../kube/index.ts';
import { createApplicationSetMetrics, type ApplicationSetServiceOptions, type ServerMetrics } from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Sources } from '../sources/index.ts';
import { openEventRecorder } from './event-recorder.ts';
import type { Home } from './home.ts';
import type { CreateWork } from './lead-controllers.ts';
import { readProviderEnvironment, readProviderProxies } from './provider-environment.ts';

export interface ApplicationSetsOptions {
  readonly home: Home;
  readonly settings: Settings;
  readonly policy: Policy;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  readonly clusters: Clusters;
  readonly sources: Sources;
  readonly applicationSets: ObjectStore;
  /** Whether application sets may be in a namespace. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  /** Where another installation looks after them: what we would say of them. */
  readonly shadow: ShadowLedger | undefined;
  readonly metrics: ServerMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What looks after application sets, and what the service about them needs. */
export function createApplicationSets(options: ApplicationSetsOptions): {
  /** What only one process may do. */
  readonly works: readonly CreateWork[];
  readonly service: ApplicationSetServiceOptions;
} {
  const { home, clock, log } = options;
  const { namespace } = home;
  const common = {
    ...options,
    home: home.api,
    namespace,
    timers: systemTimers,
    events: createEventRecorder({ api: home.api, namespace, isEnabled: () => home.readOnly !== true, clock, log }),
  };
  const providers = createProviderGenerators({
    ...common,
    environment: readProviderEnvironment(),
    proxyEnvironment: readProviderProxies(),
  });
  const context = { ...common, ...createApplicationSetGenerators(common, providers) };
  const service = { ...common, events: openEventRecorder(options), preview: createPreview(context) };
  const { shadow } = options;
  // Somebody else makes the applications of sets.
  if (shadow !== undefined) return { works: [() => createShadowSets(shadow, context)], service };
  const setMeter = createApplicationSetMetrics({
    ...options,
    registry: options.metrics.registry,
    shownLabels: options.settings.current.parameters.appsetMetricsLabels,
  });
  return { works: [() => createApplicationSetController({ ...context, setMeter })], service };
}
