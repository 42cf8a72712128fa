import type { JsonObject } from '../../../objects/index.ts';
import { ageColumn, labelsText, listAt, nameColumn, numberAt, objectAt, orNone, shown, text, textAt, valueAt, wide } from './column.ts';
import type { Column } from './column.ts';

const ENDPOINTS_MAX = 3;

export const serviceColumns: readonly Column[] = [
  nameColumn,
  text('Type', (object) => textAt(object, 'spec', 'type')),
  text('Cluster-IP', (object) => orNone(textAt(object, 'spec', 'clusterIP'))),
  text('External-IP', externalAddress),
  text('Port(s)', (object) => orNone(listAt(object, 'spec', 'ports').map(portText).join(','))),
  ageColumn,
  wide(text('Selector', (object) => orNone(labelsText(objectAt(object, 'spec', 'selector'))))),
];

export const ingressColumns: readonly Column[] = [
  nameColumn,
  text('Class', (object) => orNone(textAt(object, 'spec', 'ingressClassName'))),
  text('Hosts', hosts),
  text('Address', (object) => loadBalancer(object).join(',')),
  text('Ports', (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
];

export const endpointsColumns: readonly Column[] = [
  nameColumn,
  text('Endpoints', (object) =>
    shorten(
      listAt(object, 'subsets').flatMap((subset) => {
        const ports = listAt(subset, 'ports');
        const addresses = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
        return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => `${ip}:${numberAt(port, 'port')}`));
      }),
    ),
  ),
  ageColumn,
];

export const endpointSliceColumns: readonly Column[] = [
  nameColumn,
  text('AddressType', (object) => textAt(object, 'addressType')),
  text('Ports', (object) => {
    const ports = listAt(object, 'ports').map((port) => shown(valueAt(port, 'port') ?? '*'));
    return ports.length === 0 ? '<unset>' : shorten(ports);
  }),
  text('Endpoints', (object) => {
    const addresses = listAt(object, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
    return addresses.length === 0 ? '<unset>' : shorten(addresses);
  }),
  ageColumn,
];

function portText(port: unknown): string {
  const object = port as JsonObject;
  const nodePort = numberAt(object, 'nodePort');
  return `${numberAt(object, 'port')}${nodePort === 0 ? '' : `:${nodePort}`}/${textAt(object, 'protocol')}`;
}

function loadBalancer(object: JsonObject): string[] {
  return listAt(object, 'status', 'loadBalancer', 'ingress').map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'));
}

function externalAddress(object: JsonObject): string {
  const type = textAt(object, 'spec', 'type');
  const external = listAt(object, 'spec', 'externalIPs').map(String);
  if (type === 'ExternalName') return textAt(object, 'spec', 'externalName');
  if (type !== 'LoadBalancer') return orNone(external.join(','));
  const addresses = [...loadBalancer(object), ...external];
  return addresses.length === 0 ? '<pending>' : addresses.join(',');
}

function hosts(object: JsonObject): string {
  const names = listAt(object, 'spec', 'rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '');
  if (names.length === 0) return '*';
  return names.length > ENDPOINTS_MAX
    ? `${names.slice(0, ENDPOINTS_MAX).join(',')} + ${names.length - ENDPOINTS_MAX} more...`
    : names.join(',');
}

function shorten(values: readonly string[]): string {
  if (values.length === 0) return '<none>';
  const shown = values.slice(0, ENDPOINTS_MAX).join(',');
  return values.length > ENDPOINTS_MAX ? `${shown} + ${values.length - ENDPOINTS_MAX} more...` : shown;
}
