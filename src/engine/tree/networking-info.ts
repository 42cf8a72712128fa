import type { ResourceNetworkingInfo, ResourceRef } from '../../model/index.ts';
import { objectAt, textAt } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { annotationOf, annotations } from '../annotations.ts';
import { groupOf } from '../resource-key.ts';
import { gatewayInfo, routeInfo } from './gateway-info.ts';
import { objectsAt } from './pod-status.ts';

type LoadBalancerIngress = NonNullable<ResourceNetworkingInfo['ingress']>[number];

/** How traffic reaches an object and where it goes from there; undefined for what has nothing to do with traffic. */
export function networkingInfoOf(object: KubeObject): ResourceNetworkingInfo | undefined {
  const info = infoByKind(object);
  const links = linksOf(object);
  if (links.length === 0) return info;
  return { ...info, externalURLs: [...(info?.externalURLs ?? []), ...links] };
}

function infoByKind(object: KubeObject): ResourceNetworkingInfo | undefined {
  const json = object as unknown as JsonObject;
  const group = groupOf(object);
  switch (`${group}/${object.kind}`) {
    case '/Pod':
      return object.metadata.labels ? { labels: textMap(object.metadata.labels) } : undefined;
    case '/Service':
      return serviceInfo(json);
    case 'extensions/Ingress':
    case 'networking.k8s.io/Ingress':
      return ingressInfo(object, json);
    case 'networking.istio.io/VirtualService':
      return virtualServiceInfo(json);
    case 'networking.istio.io/ServiceEntry':
      return serviceEntryInfo(json);
    case 'gateway.networking.k8s.io/Gateway':
      return gatewayInfo(json, ignoresDefaultLinks(object));
    default:
      return group === 'gateway.networking.k8s.io' && /^(?:HTTP|GRPC|TCP|TLS|UDP)Route$/.test(object.kind) ? routeInfo(json) : undefined;
  }
}

function serviceInfo(service: JsonObject): ResourceNetworkingInfo {
  const selector = textMap(objectAt(service, 'spec', 'selector'));
  const isBalanced = textAt(service, 'spec', 'type') === 'LoadBalancer';
  const ingress = isBalanced ? loadBalancerIngress(service) : [];
  return {
    ...(Object.keys(selector).length > 0 && { targetLabels: selector }),
    ...(ingress.length > 0 && { ingress }),
  };
}

function loadBalancerIngress(object: JsonObject): LoadBalancerIngress[] {
  return objectsAt(object, 'status', 'loadBalancer', 'ingress').map((one) => {
    const [ip, hostname] = [textAt(one, 'ip'), textAt(one, 'hostname')];
    return { ...(ip !== '' && { ip }), ...(hostname !== '' && { hostname }) };
  });
}

function ingressInfo(object: KubeObject, ingress: JsonObject): ResourceNetworkingInfo {
  const addresses = loadBalancerIngress(ingress);
  const namespace = object.metadata.namespace ?? '';
  const services = new Set<string>();
  const standard = backendService(objectAt(ingress, 'spec', 'backend'));
  if (standard !== '') services.add(standard);
  const urls = new Set<string>();
  for (const rule of objectsAt(ingress, 'spec', 'rules')) {
    const host = textAt(rule, 'host') || addresses[0]?.hostname || addresses[0]?.ip || '';
    const paths = objectsAt(rule, 'http', 'paths');
    for (const path of paths) {
      const service = backendService(objectAt(path, 'backend'));
      if (service !== '') services.add(service);
      if (host !== '') urls.add(`${schemeOf(ingress)}://${host}${textAt(path, 'path').replace(/\*$/, '')}`);
    }
    if (paths.length === 0 && host !== '') urls.add(`${schemeOf(ingress)}://${host}`);
  }
  const targetRefs = [...services].map((name) => ({ kind: 'Service', namespace, name }));
  const hidden = ignoresDefaultLinks(object);
  return {
    ...(targetRefs.length > 0 && { targetRefs }),
    ...(addresses.length > 0 && { ingress: addresses }),
    ...(urls.size > 0 && !hidden && { externalURLs: [...urls].sort() }),
  };
}

function backendService(backend: JsonObject): string {
  return textAt(backend, 'service', 'name') || textAt(backend, 'serviceName');
}

function schemeOf(ingress: JsonObject): string {
  return objectsAt(ingress, 'spec', 'tls').some((entry) => textAt(entry, 'secretName') !== '') ? 'https' : 'http';
}

function virtualServiceInfo(service: JsonObject): ResourceNetworkingInfo | undefined {
  const refs = new Map<string, ResourceRef>();
  const own = textAt(service, 'metadata', 'namespace');
  for (const protocol of ['http', 'tls', 'tcp']) {
    for (const route of objectsAt(service, 'spec', protocol).flatMap((one) => objectsAt(one, 'route'))) {
      const [name = '', namespace = own] = textAt(route, 'destination', 'host').split('.');
      if (name !== '') refs.set(`${namespace}/${name}`, { kind: 'Service', name, namespace });
    }
  }
  return refs.size === 0 ? undefined : { targetRefs: [...refs.values()] };
}

function serviceEntryInfo(entry: JsonObject): ResourceNetworkingInfo | undefined {
  const targetLabels = textMap(objectAt(entry, 'spec', 'workloadSelector', 'labels'));
  if (Object.keys(targetLabels).length === 0) return undefined;
  return { targetLabels, targetRefs: [{ kind: 'Pod', namespace: textAt(entry, 'metadata', 'namespace') }] };
}

function ignoresDefaultLinks(object: KubeObject): boolean {
  return annotationOf(object, annotations.ignoreDefaultLinks) === 'true';
}

/** Links that a user gives an object, as `address` or `title|address`. */
export function linksOf({ metadata }: Pick<KubeObject, 'metadata'>): readonly string[] {
  return Object.entries(metadata.annotations ?? {})
    .filter(([name, link]) => name.startsWith(annotations.linkPrefix) && isWebLink(link))
    .map(([, link]) => link);
}

function isWebLink(link: unknown): link is string {
  if (typeof link !== 'string') return false;
  const address = link.slice(link.indexOf('|') + 1);
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

function textMap(map: Readonly<Record<string, JsonValue>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
