import { formatApiVersion } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { DiscoveredResource, Discovery } from '../kube-api.ts';
import { objectOf, objectsOf, textOf, textsOf } from './aggregated.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly preferred: boolean;
}

/** Asks group by group, as servers before 1.26 and some aggregated ones need it. A group that fails is named and hides no other. */
export async function discoverByGroup(
  roots: { readonly core: JsonObject; readonly groups: JsonObject },
  get: (path: string) => Promise<JsonObject>,
): Promise<Discovery> {
  const versions = [...coreVersions(roots.core), ...groupVersions(roots.groups)];
  const failures: Discovery['failures'][number][] = [];
  const lists = await Promise.all(
    versions.map(async (entry) => {
      try {
        return readResources(await get(`${entry.group === '' ? '/api' : '/apis'}/${formatApiVersion(entry)}`), entry);
      } catch (error) {
        failures.push({ group: entry.group, version: entry.version, message: error instanceof Error ? error.message : 'unknown failure' });
        return [];
      }
    }),
  );
  return { resources: lists.flat(), failures };
}

function coreVersions(core: JsonObject): GroupVersion[] {
  return textsOf(core['versions']).map((version, index) => ({ group: '', version, preferred: index === 0 }));
}

function groupVersions(groups: JsonObject): GroupVersion[] {
  return objectsOf(groups['groups']).flatMap((group) => {
    const preferred = textOf(objectOf(group['preferredVersion'])['version']);
    return objectsOf(group['versions']).map((entry) => {
      const version = textOf(entry['version']);
      return { group: textOf(group['name']), version, preferred: version === preferred };
    });
  });
}

function readResources(list: JsonObject, { group, version, preferred }: GroupVersion): DiscoveredResource[] {
  const entries = objectsOf(list['resources']).map((entry) => ({ entry, name: textOf(entry['name']) }));
  const subresources = Map.groupBy(
    entries.filter(({ name }) => name.includes('/')),
    ({ name }) => name.slice(0, name.indexOf('/')),
  );
  return entries
    .filter(({ name }) => name !== '' && !name.includes('/'))
    .map(({ entry, name }) => ({
      group,
      version,
      preferred,
      plural: name,
      kind: textOf(entry['kind']),
      namespaced: entry['namespaced'] === true,
      singular: textOf(entry['singularName']),
      shortNames: textsOf(entry['shortNames']),
      categories: textsOf(entry['categories']),
      verbs: textsOf(entry['verbs']),
      subresources: (subresources.get(name) ?? []).map((sub) => sub.name.slice(name.length + 1)),
    }));
}
