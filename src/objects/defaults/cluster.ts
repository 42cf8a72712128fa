import { isJsonObject } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { mapListAt, mapObjectAt, objectAt, textAt, withDefaults, withValueAt } from '../json-path.ts';
import type { SetDefaults } from './set-defaults.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespace: SetDefaults = (object) =>
  withValueAt(object, ['metadata', 'labels', NAME_LABEL], textAt(object, 'metadata', 'name'));

export const secret: SetDefaults = (object) => {
  const { stringData, ...rest } = withDefaults(object, { type: 'Opaque' });
  if (!isJsonObject(stringData)) return rest;
  const encoded = Object.entries(stringData).map(
    ([name, text]) => [name, Buffer.from(typeof text === 'string' ? text : '').toString('base64')] as const,
  );
  return { ...rest, data: { ...objectAt(rest, 'data'), ...Object.fromEntries(encoded) } };
};

export const persistentVolumeClaim: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => withDefaults(spec, { volumeMode: 'Filesystem' }));

export const persistentVolume: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => {
    const path = mapObjectAt(spec, ['hostPath'], (value) => withDefaults(value, { type: '' }));
    return withDefaults(path, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  });

export const endpoints: SetDefaults = (object) =>
  mapListAt(object, ['subsets'], (subset) => mapListAt(subset, ['ports'], (port) => withDefaults(port, { protocol: 'TCP' })));

export const endpointSlice: SetDefaults = (object) => {
  const ports = mapListAt(object, ['ports'], (port) => withDefaults(port, { name: '', protocol: 'TCP' }));
  return mapListAt(ports, ['endpoints'], (endpoint) => withDefaults(endpoint, { conditions: {} }));
};

export const limitRange: SetDefaults = (object) =>
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
  );

export const node: SetDefaults = (object) => ({ ...object, spec: objectAt(object, 'spec') });

export const horizontalPodAutoscaler: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => {
    const target = { type: 'Utilization', averageUtilization: 80 };
    const isFirst = object['apiVersion'] === 'autoscaling/v1';
    return withDefaults(spec, {
      minReplicas: 1,
      ...(!isFirst && { metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] }),
    });
  });

export const networkPolicy: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => {
    const types = spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
    let result = withDefaults(spec, { podSelector: {}, policyTypes: types });
    for (const direction of ['ingress', 'egress'])
      result = mapListAt(result, [direction], (rule) => mapListAt(rule, ['ports'], (port) => withDefaults(port, { protocol: 'TCP' })));
    return result;
  });

export const binding: SetDefaults = (object) => {
  const subjects = mapListAt(object, ['subjects'], (subject) =>
    subject['kind'] === 'User' || subject['kind'] === 'Group' ? withDefaults(subject, { apiGroup: RBAC_GROUP }) : subject,
  );
  return mapObjectAt(subjects, ['roleRef'], (role) => withDefaults(role, { apiGroup: RBAC_GROUP }));
};

export const priorityClass: SetDefaults = (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' });

export const storageClass: SetDefaults = (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });

export const csiDriver: SetDefaults = (object) =>
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
  );

export const webhookConfiguration: SetDefaults = (object) =>
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
  });

export const flowSchema: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => withDefaults(spec, { matchingPrecedence: 1_000 }));

export const apiService: SetDefaults = (object) =>
  mapObjectAt(object, ['spec', 'service'], (service) => withDefaults(service, { port: 443 }));

export const customResourceDefinition: SetDefaults = (object) => {
  const names = objectAt(object, 'spec', 'names');
  const kind = textAt(names, 'kind');
  const completed = kind === '' ? names : withDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  const spec = withDefaults({ ...objectAt(object, 'spec'), names: completed }, { conversion: { strategy: 'None' } });
  return { ...object, spec };
};

export const admissionPolicy: SetDefaults = (object) =>
  mapObjectAt(object, ['spec'], (spec) => mapObjectAt(withDefaults(spec, { failurePolicy: 'Fail' }), ['matchConstraints'], defaultMatch));

export const admissionPolicyBinding: SetDefaults = (object) => mapObjectAt(object, ['spec', 'matchResources'], defaultMatch);

function defaultMatch(match: JsonObject): JsonObject {
  let result = withDefaults(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  for (const list of ['resourceRules', 'excludeResourceRules'])
    result = mapListAt(result, [list], (rule) => withDefaults(rule, { scope: '*' }));
  return result;
}
