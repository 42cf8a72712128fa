import { formatTime, isJsonObject } from '../../objects/index.ts';
import type { KindRules } from '../kinds/kind.ts';
import { mapListAt, mapObjectAt, objectAt, textAt, withDefaults, withValueAt } from '../json-path.ts';

type Defaults = Pick<KindRules, 'setDefaults' | 'prepareCreate' | 'prepareUpdate'>;

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespace: Defaults = {
  setDefaults: (object) => withValueAt(object, ['metadata', 'labels', NAME_LABEL], textAt(object, 'metadata', 'name')),
  prepareCreate: (object) => ({ ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  // The finalizers in the spec have an endpoint of their own.
  prepareUpdate: (object, before) => ({ ...object, ...(before['spec'] !== undefined && { spec: before['spec'] }) }),
};

export const secret: Defaults = {
  setDefaults: (object) => {
    const { stringData, ...rest } = withDefaults(object, { type: 'Opaque' });
    if (!isJsonObject(stringData)) return rest;
    const encoded = Object.entries(stringData).map(
      ([name, text]) => [name, Buffer.from(typeof text === 'string' ? text : '').toString('base64')] as const,
    );
    return { ...rest, data: { ...objectAt(rest, 'data'), ...Object.fromEntries(encoded) } };
  },
};

/** Claims and volumes do not get the finalizers that protect what a running Pod mounts: no Pod runs. */
export const persistentVolumeClaim: Defaults = {
  setDefaults: (object) => mapObjectAt(object, ['spec'], (spec) => withDefaults(spec, { volumeMode: 'Filesystem' })),
  prepareCreate: (object) => ({ ...object, status: { phase: 'Pending' } }),
};

export const persistentVolume: Defaults = {
  setDefaults: (object) =>
    mapObjectAt(object, ['spec'], (spec) => {
      const path = mapObjectAt(spec, ['hostPath'], (value) => withDefaults(value, { type: '' }));
      return withDefaults(path, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
    }),
  prepareCreate: (object, { nowMs }) => ({ ...object, status: { phase: 'Pending', lastPhaseTransitionTime: formatTime(nowMs) } }),
};

export const endpoints: Defaults = {
  setDefaults: (object) =>
    mapListAt(object, ['subsets'], (subset) => mapListAt(subset, ['ports'], (port) => withDefaults(port, { protocol: 'TCP' }))),
};

export const endpointSlice: Defaults = {
  setDefaults: (object) => {
    const ports = mapListAt(object, ['ports'], (port) => withDefaults(port, { name: '', protocol: 'TCP' }));
    return mapListAt(ports, ['endpoints'], (endpoint) => withDefaults(endpoint, { conditions: {} }));
  },
};

export const limitRange: Defaults = {
  setDefaults: (object) =>
    mapObjectAt(object, ['spec'], (spec) =>
      mapListAt(spec, ['limits'], (limit) => {
        if (limit['type'] !== 'Container') return limit;
        const standard = { ...objectAt(limit, 'max'), ...objectAt(limit, 'default') };
        const request = { ...standard, ...objectAt(limit, 'min'), ...objectAt(limit, 'defaultRequest') };
        return {
          ...limit,
          ...(Object.keys(standard).length > 0 && { default: standard }),
          ...(Object.keys(request).length > 0 && { defaultRequest: request }),
        };
      }),
    ),
};

export const node: Defaults = {
  setDefaults: (object) => ({ ...object, spec: objectAt(object, 'spec') }),
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
  setDefaults: (object) =>
    mapObjectAt(object, ['spec'], (spec) => {
      const target = { type: 'Utilization', averageUtilization: 80 };
      const isFirst = object['apiVersion'] === 'autoscaling/v1';
      return withDefaults(spec, {
        minReplicas: 1,
        ...(!isFirst && { metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] }),
      });
    }),
  prepareCreate: (object) => ({
    ...object,
    status:
      object['apiVersion'] === 'autoscaling/v1' ? { currentReplicas: 0, desiredReplicas: 0 } : { desiredReplicas: 0, currentMetrics: null },
  }),
};

export const ingress: Defaults = {
  prepareCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
};

export const networkPolicy: Defaults = {
  setDefaults: (object) =>
    mapObjectAt(object, ['spec'], (spec) => {
      const types = spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
      let result = withDefaults(spec, { podSelector: {}, policyTypes: types });
      for (const direction of ['ingress', 'egress'])
        result = mapListAt(result, [direction], (rule) => mapListAt(rule, ['ports'], (port) => withDefaults(port, { protocol: 'TCP' })));
      return result;
    }),
};

export const podDisruptionBudget: Defaults = {
  prepareCreate: (object) => ({ ...object, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } }),
};

export const binding: Defaults = {
  setDefaults: (object) => {
    const subjects = mapListAt(object, ['subjects'], (subject) =>
      subject['kind'] === 'User' || subject['kind'] === 'Group' ? withDefaults(subject, { apiGroup: RBAC_GROUP }) : subject,
    );
    return mapObjectAt(subjects, ['roleRef'], (role) => withDefaults(role, { apiGroup: RBAC_GROUP }));
  },
};

/** A role without rules says so. */
export const role: Defaults = {
  prepareCreate: (object) => withDefaults(object, { rules: null }),
  prepareUpdate: (object) => withDefaults(object, { rules: null }),
};

export const priorityClass: Defaults = { setDefaults: (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' }) };

export const storageClass: Defaults = {
  setDefaults: (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
};

export const csiDriver: Defaults = {
  setDefaults: (object) =>
    mapObjectAt(object, ['spec'], (spec) =>
      withDefaults(spec, {
        attachRequired: true,
        podInfoOnMount: false,
        volumeLifecycleModes: ['Persistent'],
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
};

export const webhookConfiguration: Defaults = {
  setDefaults: (object) =>
    mapListAt(object, ['webhooks'], (webhook) => {
      const isMutating = object['kind'] === 'MutatingWebhookConfiguration';
      const result = withDefaults(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...(isMutating && { reinvocationPolicy: 'Never' }),
      });
      const rules = mapListAt(result, ['rules'], (rule) => withDefaults(rule, { scope: '*' }));
      return mapObjectAt(rules, ['clientConfig', 'service'], (service) => withDefaults(service, { port: 443 }));
    }),
};

export const flowSchema: Defaults = {
  setDefaults: (object) => mapObjectAt(object, ['spec'], (spec) => withDefaults(spec, { matchingPrecedence: 1_000 })),
  prepareCreate: (object) => ({ ...object, status: {} }),
};

export const apiService: Defaults = {
  setDefaults: (object) => mapObjectAt(object, ['spec', 'service'], (service) => withDefaults(service, { port: 443 })),
  prepareCreate: (object) => ({ ...object, status: {} }),
};

export const resourceQuota: Defaults = { prepareCreate: (object) => ({ ...object, status: {} }) };
