import { isJsonObject } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { listAt, numberAt, textAt } from '../../json-path.ts';
import { hasEnded, isReady } from '../pods/pod-facts.ts';
import { compact, compareTexts, controllerReference, isLeaving } from '../view.ts';
import type { View } from '../view.ts';

/** As many as one slice may hold; a Service with more pods than that shows the first. */
const ENDPOINTS_MAX = 1_000;

export interface EndpointsPlan {
  /** The fields of the Endpoints object that belong to us. */
  readonly endpoints: { readonly labels: JsonObject; readonly subsets: readonly JsonValue[] };
  readonly slice: { readonly labels: JsonObject; readonly endpoints: readonly JsonObject[]; readonly ports: readonly JsonObject[] };
}

/** What a Service's endpoints are, from the pods that it selects. */
export function planEndpoints(service: View, selected: readonly View[]): EndpointsPlan {
  const pods = selected
    .filter((pod) => textAt(pod.status, 'podIP') !== '' && !hasEnded(pod) && !isLeaving(pod))
    .toSorted((left, right) => compareTexts(left.name, right.name))
    .slice(0, ENDPOINTS_MAX);
  const publishesAll = service.spec['publishNotReadyAddresses'] === true;
  const isServed = (pod: View): boolean => publishesAll || isReady(pod);
  const numbers = numbersByName(pods);
  const ports = listAt(service.spec, 'ports')
    .filter(isJsonObject)
    .map((port) => endpointPort(port, numbers));
  const [ready, unready] = [pods.filter(isServed), pods.filter((pod) => !isServed(pod))];
  const subset = compact({
    addresses: ready.length === 0 ? undefined : ready.map(addressOf),
    notReadyAddresses: unready.length === 0 ? undefined : unready.map(addressOf),
    ports: ports.length === 0 ? undefined : ports,
  });
  const labels = { ...service.metadata.labels };
  return {
    endpoints: {
      labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
      subsets: pods.length === 0 ? [] : [subset],
    },
    slice: {
      labels: {
        ...labels,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service.name,
        ...(service.spec['clusterIP'] === 'None' && { 'service.kubernetes.io/headless': '' }),
      },
      endpoints: pods.map((pod) => ({
        addresses: [textAt(pod.status, 'podIP')],
        conditions: { ready: isServed(pod), serving: isReady(pod), terminating: false },
        ...(textAt(pod.spec, 'hostname') !== '' && { hostname: textAt(pod.spec, 'hostname') }),
        nodeName: textAt(pod.spec, 'nodeName'),
        targetRef: referenceTo(pod),
      })),
      ports: pods.length === 0 ? [] : ports.map((port) => ({ name: '', ...port })),
    },
  };
}

/** A new slice; its name comes from the API. */
export function newSlice(service: View, { labels, endpoints, ports }: EndpointsPlan['slice']): JsonObject {
  return {
    metadata: { generateName: `${service.name}-`, namespace: service.namespace, labels, ownerReferences: [controllerReference(service)] },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

function addressOf(pod: View): JsonObject {
  const hostname = textAt(pod.spec, 'hostname');
  return {
    ip: textAt(pod.status, 'podIP'),
    ...(hostname !== '' && { hostname }),
    nodeName: textAt(pod.spec, 'nodeName'),
    targetRef: referenceTo(pod),
  };
}

function referenceTo({ name, namespace, uid }: View): JsonObject {
  return { kind: 'Pod', namespace, name, uid };
}

/** The ports of containers by name, each from the first pod that has it. */
function numbersByName(pods: readonly View[]): ReadonlyMap<string, number | undefined> {
  const numbers = new Map<string, number | undefined>();
  const containers = pods.flatMap(({ spec }) => [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]);
  for (const container of containers)
    for (const port of listAt(container, 'ports')) {
      const name = textAt(port, 'name');
      if (!numbers.has(name)) numbers.set(name, numberAt(port, 'containerPort'));
    }
  return numbers;
}

function endpointPort(port: JsonObject, numbers: ReadonlyMap<string, number | undefined>): JsonObject {
  const { targetPort, name, protocol = 'TCP' } = port;
  const named = typeof targetPort === 'string' ? numbers.get(targetPort) : undefined;
  const number = typeof targetPort === 'number' ? targetPort : (named ?? numberAt(port, 'port') ?? 0);
  return compact({ name: name === '' ? undefined : name, port: number, protocol });
}
