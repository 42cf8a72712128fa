import { formatTime } from '../../objects/index.ts';
import type { KindRules } from '../kinds/kind.ts';
import { withDefaults } from '../json-path.ts';

type Defaults = Pick<KindRules, 'prepareCreate' | 'prepareUpdate'>;

export const namespace: Defaults = {
  prepareCreate: (object) => ({ ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  // The finalizers in the spec have an endpoint of their own.
  prepareUpdate: (object, before) => ({ ...object, ...(before['spec'] !== undefined && { spec: before['spec'] }) }),
};

/** Claims and volumes do not get the finalizers that protect what a running Pod mounts: no Pod runs. */
export const persistentVolumeClaim: Defaults = {
  prepareCreate: (object) => ({ ...object, status: { phase: 'Pending' } }),
};

export const persistentVolume: Defaults = {
  prepareCreate: (object, { nowMs }) => ({ ...object, status: { phase: 'Pending', lastPhaseTransitionTime: formatTime(nowMs) } }),
};

/** Fields of Events that are shown also when they are empty; nobody owns them for that. */
const EVENT_FIELDS = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const NEW_EVENT_FIELDS = { deprecatedSource: {}, deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null };

export const event: Defaults = {
  prepareCreate: (object) => withDefaults(object, EVENT_FIELDS),
  prepareUpdate: (object) => withDefaults(object, EVENT_FIELDS),
};

/** The same, as events.k8s.io names the fields. */
export const newEvent: Defaults = {
  prepareCreate: (object) => withDefaults(object, NEW_EVENT_FIELDS),
  prepareUpdate: (object) => withDefaults(object, NEW_EVENT_FIELDS),
};

export const horizontalPodAutoscaler: Defaults = {
  prepareCreate: (object) => ({
    ...object,
    status:
      object['apiVersion'] === 'autoscaling/v1' ? { currentReplicas: 0, desiredReplicas: 0 } : { desiredReplicas: 0, currentMetrics: null },
  }),
};

export const ingress: Defaults = {
  prepareCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
};

export const podDisruptionBudget: Defaults = {
  prepareCreate: (object) => ({ ...object, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } }),
};

/** A role without rules says so. */
export const role: Defaults = {
  prepareCreate: (object) => withDefaults(object, { rules: null }),
  prepareUpdate: (object) => withDefaults(object, { rules: null }),
};

export const flowSchema: Defaults = {
  prepareCreate: (object) => ({ ...object, status: {} }),
};

export const apiService: Defaults = {
  prepareCreate: (object) => ({ ...object, status: {} }),
};

export const resourceQuota: Defaults = { prepareCreate: (object) => ({ ...object, status: {} }) };
