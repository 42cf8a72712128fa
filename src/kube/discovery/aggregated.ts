import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { DiscoveredResource, Discovery } from '../kube-api.ts';

const PROFILE = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** Asks for everything in one answer; a server that cannot do that answers in the old form. */
export const AGGREGATED_ACCEPT = `${PROFILE('v2')},${PROFILE('v2beta1')},application/json`;

export function isAggregated(value: unknown): value is JsonObject {
  return isJsonObject(value) && value['kind'] === 'APIGroupDiscoveryList';
}

/** What an aggregated answer says. A version whose server did not answer lately is a failure and not a list without resources. */
export function readAggregated(value: JsonObject): Discovery {
  const resources: DiscoveredResource[] = [];
  const failures: Discovery['failures'][number][] = [];
  for (const item of objectsOf(value['items'])) {
    const group = textOf(objectOf(item['metadata'])['name']);
    objectsOf(item['versions']).forEach((entry, index) => {
      const version = textOf(entry['version']);
      if (entry['freshness'] === 'Stale') failures.push({ group, version, message: 'the server of this group does not answer' });
      else
        for (const found of objectsOf(entry['resources'])) resources.push(readResource(found, { group, version, preferred: index === 0 }));
    });
  }
  return { resources: resources.filter(({ kind, verbs }) => kind !== '' && verbs.length > 0), failures };
}

function readResource(found: JsonObject, place: { group: string; version: string; preferred: boolean }): DiscoveredResource {
  return {
    ...place,
    plural: textOf(found['resource']),
    kind: textOf(objectOf(found['responseKind'])['kind']),
    namespaced: found['scope'] === 'Namespaced',
    singular: textOf(found['singularResource']),
    shortNames: textsOf(found['shortNames']),
    categories: textsOf(found['categories']),
    verbs: textsOf(found['verbs']),
    subresources: objectsOf(found['subresources']).map((sub) => textOf(sub['subresource'])),
  };
}

/** Discovery is read leniently: a field that is missing or odd makes one resource poorer and hides none. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
