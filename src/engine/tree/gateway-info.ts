import type { ResourceNetworkingInfo, ResourceRef } from '../../model/index.ts';
import { numberAt, textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { objectsAt } from './pod-status.ts';

const GATEWAY_GROUP = 'gateway.networking.k8s.io';
const STANDARD_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Where a route hangs and where it sends traffic. */
export function routeInfo(route: JsonObject): ResourceNetworkingInfo | undefined {
  const namespace = textAt(route, 'metadata', 'namespace');
  const parents = objectsAt(route, 'spec', 'parentRefs').map((ref) => readRef(ref, { group: GATEWAY_GROUP, kind: 'Gateway', namespace }));
  const backends = objectsAt(route, 'spec', 'rules')
    .flatMap((rule) => objectsAt(rule, 'backendRefs'))
    .map((ref) => readRef(ref, { group: '', kind: 'Service', namespace }));
  const refs = new Map([...parents, ...backends].map((ref) => [JSON.stringify(ref), ref]));
  return refs.size === 0 ? undefined : { targetRefs: [...refs.values()] };
}

/** A reference, completed with what it may leave out. An empty group that is written is the core group. */
function readRef(ref: JsonObject, standard: { readonly group: string; readonly kind: string; readonly namespace: string }): ResourceRef {
  const group = typeof ref['group'] === 'string' ? ref['group'] : standard.group;
  return {
    ...(group !== '' && { group }),
    kind: textAt(ref, 'kind') || standard.kind,
    namespace: textAt(ref, 'namespace') || standard.namespace,
    name: textAt(ref, 'name'),
  };
}

/** The addresses at which a gateway listens. */
export function gatewayInfo(gateway: JsonObject, hidesLinks: boolean): ResourceNetworkingInfo | undefined {
  const addresses = objectsAt(gateway, 'status', 'addresses').filter((one) => textAt(one, 'value') !== '');
  const ingress = addresses.map((one) =>
    textAt(one, 'type') === 'Hostname' ? { hostname: textAt(one, 'value') } : { ip: textAt(one, 'value') },
  );
  const values = addresses.map((one) => textAt(one, 'value'));
  const urls = hidesLinks ? [] : objectsAt(gateway, 'spec', 'listeners').flatMap((listener) => listenerUrls(listener, values));
  if (ingress.length === 0 && urls.length === 0) return undefined;
  return { ...(ingress.length > 0 && { ingress }), ...(urls.length > 0 && { externalURLs: [...new Set(urls)].sort() }) };
}

function listenerUrls(listener: JsonObject, addresses: readonly string[]): readonly string[] {
  const protocol = textAt(listener, 'protocol');
  if (!['HTTP', 'HTTPS', 'TLS'].includes(protocol)) return [];
  const scheme = protocol === 'HTTP' ? 'http' : 'https';
  const port = numberAt(listener, 'port');
  const suffix = port === undefined || port === STANDARD_PORTS[scheme] ? '' : `:${port}`;
  const hostname = textAt(listener, 'hostname');
  const hosts = hostname === '' || hostname === '*' ? addresses : [hostname];
  return hosts.map((host) => `${scheme}://${host}${suffix}`);
}
