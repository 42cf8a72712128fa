import { parseApiVersion } from '../objects/index.ts';
import type { GroupVersionKind, KubeObject } from '../objects/index.ts';

/** What tells one object of a cluster from another; the version is no part of it. The namespace is empty for what has none. */
export interface ResourceKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function keyOf(object: KubeObject): ResourceKey {
  const { namespace = '', name = '' } = object.metadata;
  return { group: groupOf(object), kind: object.kind, namespace, name };
}

/** The key as one text, for maps and messages: `apps/Deployment/default/web`. */
export function formatKey({ group, kind, namespace, name }: ResourceKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function groupOf({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string {
  return parseApiVersion(apiVersion)?.group ?? '';
}

export function kindOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupVersionKind {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  return { group, version, kind };
}

/** As messages name a kind: `apps/v1, Kind=Deployment`. */
export function printKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Orders texts by their UTF-16 units, which for names of resources is the order of their bytes. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
