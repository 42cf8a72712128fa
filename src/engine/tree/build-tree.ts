import type { ApplicationTree, HealthStatus, ResourceNetworkingInfo, ResourceNode, ResourceRef } from '../../model/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { compareTexts, formatKey } from '../resource-key.ts';
import type { ResourceKey } from '../resource-key.ts';
import { hostFactsOf } from './describe-hosts.ts';
import type { HostFacts } from './describe-hosts.ts';
import { imagesOf, infoOf } from './info-items.ts';
import type { InfoEntry } from './info-items.ts';
import { networkingInfoOf } from './networking-info.ts';

/** What the tree shows of an object beyond its identity and health: small, and plain JSON, so that a cache can keep it for every object. */
export interface ResourceFacts {
  readonly info?: readonly InfoEntry[];
  readonly networkingInfo?: ResourceNetworkingInfo;
  readonly images?: readonly string[];
  /** Of a node. */
  readonly host?: HostFacts;
}

/** The facts of a live object; undefined where there is nothing to say. `customLabels` are labels that are shown too. */
export function factsOf(object: KubeObject, customLabels: readonly string[] = []): (ResourceFacts & JsonObject) | undefined {
  const [info, images, networkingInfo] = [infoOf(object, customLabels), imagesOf(object), networkingInfoOf(object)];
  const host = hostFactsOf(object);
  if (info.length === 0 && images.length === 0 && networkingInfo === undefined && host === undefined) return undefined;
  const facts: ResourceFacts = {
    ...(info.length > 0 && { info }),
    ...(networkingInfo && { networkingInfo }),
    ...(images.length > 0 && { images }),
    ...(host && { host }),
  };
  // No part of the facts is undefined, which is all that JSON asks beyond their type.
  return facts as ResourceFacts & JsonObject;
}

/** A live object as a cache remembers it. */
export interface TreeSource {
  readonly type: { readonly group: string; readonly version: string; readonly kind: string };
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: string;
  readonly health: HealthStatus | undefined;
  /** What `factsOf` said of it. */
  readonly facts: unknown;
}

/** A live object and those of its owners that are live too. */
export interface TreeEntry {
  readonly row: TreeSource;
  readonly parents: readonly TreeSource[];
}

export interface TreeOptions {
  /** The managed objects and everything below them, parents first. */
  readonly entries: readonly TreeEntry[];
  /** What is wanted and not there. */
  readonly missing?: readonly (ResourceKey & { readonly version: string })[];
  /** Objects that belong to no application, with what is below them. */
  readonly orphaned?: readonly TreeEntry[];
  /** Whether the project lets the application show an object; what is below one that it does not is not shown either. */
  readonly isPermitted?: (key: ResourceKey) => boolean;
}

/** The tree of an application's objects. */
export function buildTree({ entries, missing = [], orphaned = [], isPermitted = () => true }: TreeOptions): ApplicationTree {
  const nodes = [...toNodes(entries, isPermitted), ...missing.map(toMissingNode)].sort(compareNodes);
  const orphanedNodes = toNodes(orphaned, isPermitted).sort(compareNodes);
  return { nodes, ...(orphanedNodes.length > 0 && { orphanedNodes }) };
}

function toNodes(entries: readonly TreeEntry[], isPermitted: (key: ResourceKey) => boolean): ResourceNode[] {
  const hidden = new Set<TreeSource>();
  const nodes: ResourceNode[] = [];
  for (const { row, parents } of entries) {
    const isCut = parents.length > 0 && parents.every((parent) => hidden.has(parent));
    if (isCut || !isPermitted(keyOfRow(row))) hidden.add(row);
    else nodes.push(toNode(row, parents));
  }
  return nodes;
}

function toNode(row: TreeSource, parents: readonly TreeSource[]): ResourceNode {
  const { info, networkingInfo, images } = readFacts(row.facts);
  return {
    ...toRef(row),
    ...(parents.length > 0 && { parentRefs: parents.map(toRef) }),
    ...(info && { info: [...info] }),
    ...(networkingInfo && { networkingInfo }),
    resourceVersion: row.resourceVersion,
    ...(images && { images: [...images] }),
    ...(row.health && { health: row.health }),
    ...(row.createdAt && { createdAt: row.createdAt }),
  };
}

/** Facts come back from a cache as plain JSON of our own making. */
function readFacts(facts: unknown): ResourceFacts {
  return isJsonObject(facts) ? (facts as JsonObject & ResourceFacts) : {};
}

function toRef({ type, namespace, name, uid }: TreeSource): ResourceRef {
  const { group, version, kind } = type;
  return { ...(group !== '' && { group }), version, kind, ...(namespace !== '' && { namespace }), name, uid };
}

function toMissingNode({ group, version, kind, namespace, name }: ResourceKey & { readonly version: string }): ResourceNode {
  return {
    ...(group !== '' && { group }),
    version,
    kind,
    ...(namespace !== '' && { namespace }),
    name,
    health: { status: 'Missing' },
  };
}

function keyOfRow({ type, namespace, name }: TreeSource): ResourceKey {
  return { group: type.group, kind: type.kind, namespace, name };
}

function compareNodes(left: ResourceNode, right: ResourceNode): number {
  return compareTexts(nodeText(left), nodeText(right));
}

function nodeText({ group = '', kind = '', namespace = '', name = '' }: ResourceNode): string {
  return formatKey({ group, kind, namespace, name });
}
