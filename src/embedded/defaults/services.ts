import { isJsonObject } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { KindRules, RuleContext } from '../kinds/kind.ts';
import { listAt, mapListAt, numberAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from '../json-path.ts';

const ADDRESS_PREFIX = '10.96';
const NODE_PORT_FIRST = 30_000;
const NODE_PORT_COUNT = 2_768;
const ATTEMPTS = 64;

type Defaults = Pick<KindRules, 'prepareCreate' | 'prepareUpdate'>;

/** Services get an address of their own and, where their type has them, ports of the nodes; both are given out once. */
export const service: Defaults = {
  prepareCreate: (object, context) => ({ ...allocate(object, undefined, context), status: { loadBalancer: {} } }),
  prepareUpdate: (object, before, context) => allocate(dropTypeFields(object, before), before, context),
};

/** What a type has and the new one has not goes with the old type, unless the client has set it anew. */
function dropTypeFields(object: JsonObject, before: JsonObject): JsonObject {
  const type = textAt(object, 'spec', 'type');
  const names = [
    ...(type === 'NodePort' || type === 'LoadBalancer' ? [] : ['externalTrafficPolicy']),
    ...(type === 'ExternalName' ? ['internalTrafficPolicy'] : []),
    ...(type === 'LoadBalancer' ? [] : ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']),
  ];
  const dropped = names.filter((name) => valueAt(object, ['spec', name]) === valueAt(before, ['spec', name]));
  return dropped.reduce((result, name) => withValueAt(result, ['spec', name], undefined), object);
}

function allocate(object: JsonObject, before: JsonObject | undefined, context: RuleContext): JsonObject {
  const spec = objectAt(object, 'spec');
  if (spec['type'] === 'ExternalName') return { ...object, spec: mapListAt(withoutAddress(spec), ['ports'], withoutNodePort) };
  const address = textAt(spec, 'clusterIP') || textAt(before, 'spec', 'clusterIP') || freeAddress(context);
  const addressed = withDefaults(
    { ...spec, clusterIP: address, clusterIPs: [address] },
    { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  );
  const needsPorts = spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  const given = new Set<number>();
  const change = (port: JsonObject): JsonObject => (needsPorts ? withNodePort(port, before, context, given) : withoutNodePort(port));
  return { ...object, spec: mapListAt(addressed, ['ports'], change) };
}

function withoutAddress(spec: JsonObject): JsonObject {
  const { clusterIP: _address, clusterIPs: _addresses, ipFamilies: _families, ipFamilyPolicy: _policy, ...rest } = spec;
  return rest;
}

function withoutNodePort(port: JsonObject): JsonObject {
  return withValueAt(port, ['nodePort'], undefined);
}

function withNodePort(port: JsonObject, before: JsonObject | undefined, context: RuleContext, given: Set<number>): JsonObject {
  const known = listAt(before, 'spec', 'ports').find(
    (other) => isJsonObject(other) && other['port'] === port['port'] && other['protocol'] === port['protocol'],
  );
  const nodePort = numberAt(port, 'nodePort') ?? numberAt(known, 'nodePort') ?? freeNodePort(context, given);
  given.add(nodePort);
  return { ...port, nodePort };
}

/** From the upper part of the range, as the lower one is for those who choose their address. */
function freeAddress(context: RuleContext): string {
  for (let attempt = 0; ; attempt += 1) {
    const address = `${ADDRESS_PREFIX}.${1 + context.randomBelow(255)}.${1 + context.randomBelow(254)}`;
    if (attempt >= ATTEMPTS || !context.isTaken(['spec', 'clusterIP'], address)) return address;
  }
}

/** Chosen at random from many; two Services could get the same one, which matters to nobody while nothing listens there. */
function freeNodePort(context: RuleContext, given: ReadonlySet<number>): number {
  let port = NODE_PORT_FIRST + context.randomBelow(NODE_PORT_COUNT);
  while (given.has(port)) port = NODE_PORT_FIRST + context.randomBelow(NODE_PORT_COUNT);
  return port;
}
