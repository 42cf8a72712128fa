import type { JsonObject } from '../json-value.ts';
import { mapListAt, objectAt, withDefaults } from '../json-path.ts';
import type { SetDefaults } from './set-defaults.ts';

export const service: SetDefaults = (object) => {
  const spec = withDefaults(objectAt(object, 'spec'), { type: 'ClusterIP', sessionAffinity: 'None' });
  const { type } = spec;
  const isExposed = type === 'NodePort' || type === 'LoadBalancer';
  const affinity = spec['sessionAffinity'] === 'ClientIP' ? { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : {};
  const result = withDefaults(mapListAt(spec, ['ports'], defaultPort), {
    ...affinity,
    ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(isExposed && { externalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  });
  return { ...object, spec: result };
};

function defaultPort(port: JsonObject): JsonObject {
  const number = port['port'] ?? 0;
  const withProtocol = withDefaults(port, { protocol: 'TCP' });
  const { targetPort } = withProtocol;
  return targetPort === undefined || targetPort === 0 || targetPort === '' ? { ...withProtocol, targetPort: number } : withProtocol;
}
