import type { Policy } from '../access/index.ts';
import { systemTimers, type Clock, type Logger } from '../base/index.ts';
import type { Clusters } from '../clusters/index.ts';
import {
  createApplicationController,
  createClusterLabels,
  createInspector,
  createShadowLedger,
  createShadowReconcile,
  expectObjects,
  type ApplicationController,
  type ControllerContext,
  type ShadowLedger,
} from '../controllers/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import { matchesNamespace, type ProjectSurroundings } from '../model/index.ts';
import {
  createApplicationMetrics,
  createQueueMetrics,
  type ApplicationServiceOptions,
  type QueueMetrics,
  type ServerMetrics,
} from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Sources } from '../sources/index.ts';
import type { Component } from './control-plane.ts';
import { openEventRecorder } from './event-recorder.ts';
import type { Home } from './home.ts';
import type { CreateWork } from './lead-controllers.ts';

export interface ApplicationsOptions {
  readonly home: Home;
  readonly settings: Settings;
  readonly policy: Policy;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  readonly clusters: Clusters;
  readonly sources: Sources;
  /** Patterns of the other namespaces in which applications may be, as they are now. */
  readonly applicationNamespaces: () => readonly string[];
  /** Where another installation looks after the applications: for how long what differs may be what it has not written down yet. */
  readonly shadowPatienceMs: number;
  readonly metrics: ServerMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

type ApplicationRefresh = (...args: Parameters<ApplicationController['refresh']>) => boolean;

/** What looks after applications, and what the services about them and their projects need. */
export function createApplications(options: ApplicationsOptions): {
  readonly components: readonly Component[];
  /** What only one process may do. */
  readonly works: readonly CreateWork[];
  readonly service: ApplicationServiceOptions;
  /** Has an application looked at anew; false where another process looks after them. */
  readonly refreshHere: ApplicationRefresh;
  /** Where another installation looks after the applications: what we would say of them. */
  readonly shadow: ShadowLedger | undefined;
} {
  const { home, settings, applications, projects, clusters, applicationNamespaces } = options;
  const { namespace } = home;
  const common = {
    ...options,
    home: home.api,
    namespace,
    timers: systemTimers,
    events: openEventRecorder(options),
    isNamespaceEnabled: (other: string) =>
      other === namespace || applicationNamespaces().some((pattern) => matchesNamespace(pattern, other)),
    surroundingsOf: (project: string) => findSurroundings(clusters, settings, project),
  };
  const { registry } = options.metrics;
  const { metricsApplicationLabels, metricsApplicationConditions, metricsClusterLabels } = settings.current.parameters;
  const chosen = {
    applicationLabels: metricsApplicationLabels,
    conditions: metricsApplicationConditions,
    clusterLabels: metricsClusterLabels,
  };
  const meter = createApplicationMetrics({ registry, applications, clusters, chosen, nowMs: () => options.clock.nowMs() });
  const queue = createQueueMetrics(registry, 'app_reconciliation_queue');
  const context = { ...common, meter, random: Math.random };
  const shadow = home.readOnly === true ? createShadowLedger(options.shadowPatienceMs) : undefined;
  const leading = new Set<ApplicationController>();
  return {
    components: [{ name: 'projects', start: () => projects.start(), stop: () => projects.stop() }],
    works: [
      noteLeading(leading, shadow === undefined ? createController(context, queue) : createShadowController(shadow, context)),
      ...(shadow === undefined ? [() => createClusterLabels(context)] : []),
    ],
    refreshHere(ref, wish) {
      for (const controller of leading) controller.refresh(ref, wish);
      return leading.size > 0;
    },
    service: { ...common, inspector: createInspector(context) },
    shadow,
  };
}

/** Keeps those controllers in a set that work at the moment: none, or one. */
function noteLeading(leading: Set<ApplicationController>, create: () => ApplicationController): CreateWork {
  return () => {
    const controller = create();
    return {
      start() {
        controller.start();
        leading.add(controller);
      },
      stop(lost) {
        leading.delete(controller);
        return controller.stop(lost);
      },
    };
  };
}

function createController(context: ControllerContext, queue: QueueMetrics): () => ApplicationController {
  return () => {
    const controller = createApplicationController({ ...context, observer: queue.observer });
    queue.follow(() => controller.counts);
    return controller;
  };
}

function createShadowController(ledger: ShadowLedger, context: ControllerContext): () => ApplicationController {
  expectObjects(context.applications, {
    isNamespaceEnabled: context.isNamespaceEnabled,
    expect: (application) => ledger.expect(application),
    forget: (namespace, name) => ledger.forget(namespace, name),
  });
  return () => createApplicationController({ ...context, reconcile: createShadowReconcile(ledger) });
}

/** The clusters and repositories whose Secrets name a project. */
function findSurroundings(clusters: Clusters, settings: Settings, project: string): ProjectSurroundings {
  const scopedClusters = clusters
    .list()
    .filter(({ registration }) => registration.project !== '' && registration.project === project)
    .map(({ server, name, registration }) => ({ server, name, namespaces: registration.namespaces }));
  const scopedRepositories = [...settings.current.labelledSecrets.values()]
    .filter(({ type, data }) => type === 'repository' && data.get('project')?.reveal() === project)
    .flatMap(({ data }) => data.get('url')?.reveal() ?? []);
  return { scopedClusters, scopedRepositories };
}
