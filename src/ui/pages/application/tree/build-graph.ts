import type { ShownResource } from './resource-node.ts';

/** What is drawn: the application itself, boxes, and arrows between them. */
export interface ResourceGraph {
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface GraphBox {
  readonly id: string;
  /** Undefined for the application. */
  readonly resource: ShownResource | undefined;
  /** How many boxes are below it, drawn or not. */
  readonly below: number;
  readonly isCollapsed: boolean;
}

export const APPLICATION_ID = '';

export interface GraphFilter {
  readonly text: string;
  readonly kinds: readonly string[];
  readonly healths: readonly string[];
  readonly syncs: readonly string[];
}

export function isFiltering({ text, kinds, healths, syncs }: GraphFilter): boolean {
  return text !== '' || kinds.length > 0 || healths.length > 0 || syncs.length > 0;
}

export function matchesFilter(resource: ShownResource, { text, kinds, healths, syncs }: GraphFilter): boolean {
  const wanted = text.toLowerCase();
  return (
    (text === '' || resource.name.toLowerCase().includes(wanted) || resource.kind.toLowerCase().includes(wanted)) &&
    (kinds.length === 0 || kinds.includes(resource.kind)) &&
    (healths.length === 0 || (resource.health !== undefined && healths.includes(resource.health))) &&
    (syncs.length === 0 || (resource.sync !== undefined && syncs.includes(resource.sync)))
  );
}

/** Who owns whom. What matches a filter is shown with everything above it. */
export function buildOwnerGraph(resources: readonly ShownResource[], filter: GraphFilter, collapsed: ReadonlySet<string>): ResourceGraph {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  const parentOf = (resource: ShownResource): string => resource.parents.find((parent) => byId.has(parent)) ?? APPLICATION_ID;
  const kept = isFiltering(filter)
    ? withAncestors(
        resources.filter((resource) => matchesFilter(resource, filter)),
        byId,
        parentOf,
      )
    : resources;
  const children = new Map<string, ShownResource[]>();
  for (const resource of kept) {
    const parent = parentOf(resource);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [resource]);
    else siblings.push(resource);
  }
  const boxes: GraphBox[] = [];
  const edges: { from: string; to: string }[] = [];
  const visited = new Set<string>();
  /** Returns how many boxes there are at and below it. */
  const visit = (id: string, resource: ShownResource | undefined, isDrawn: boolean): number => {
    if (visited.has(id)) return 0;
    visited.add(id);
    const place = boxes.length;
    const isCollapsed = collapsed.has(id);
    if (isDrawn) boxes.push({ id, resource, below: 0, isCollapsed });
    let below = 0;
    for (const child of (children.get(id) ?? []).toSorted(compareResources)) {
      const showsChild = isDrawn && !isCollapsed;
      if (showsChild) edges.push({ from: id, to: child.id });
      below += visit(child.id, child, showsChild);
    }
    if (isDrawn) boxes[place] = { id, resource, below, isCollapsed };
    return below + 1;
  };
  visit(APPLICATION_ID, undefined, true);
  return { boxes, edges };
}

/** Where traffic goes: from what can be reached from outside to pods. */
export function buildNetworkGraph(resources: readonly ShownResource[], filter: GraphFilter): ResourceGraph {
  const networked = resources.filter(({ node }) => node?.networkingInfo !== undefined);
  const byId = new Map(networked.map((resource) => [resource.id, resource]));
  const edges: { from: string; to: string }[] = [];
  for (const resource of networked) {
    const { targetRefs = [], targetLabels } = resource.node?.networkingInfo ?? {};
    for (const { group = '', kind = '', namespace = '', name = '' } of targetRefs) {
      const to = `${group}/${kind}/${namespace}/${name}`;
      if (byId.has(to)) edges.push({ from: resource.id, to });
    }
    for (const other of networked)
      if (targetLabels !== undefined && isSelected(other, resource, targetLabels)) edges.push({ from: resource.id, to: other.id });
  }
  const shown = networked.filter((resource) => matchesFilter(resource, filter));
  const ids = new Set(shown.map(({ id }) => id));
  const drawn = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  return { boxes: shown.map((resource) => ({ id: resource.id, resource, below: 0, isCollapsed: false })), edges: drawn };
}

function isSelected(other: ShownResource, by: ShownResource, labels: Readonly<Record<string, string>>): boolean {
  const own = other.node?.networkingInfo?.labels;
  const entries = Object.entries(labels);
  if (own === undefined || other.namespace !== by.namespace || entries.length === 0 || other.id === by.id) return false;
  return entries.every(([name, value]) => own[name] === value);
}

function withAncestors(
  matching: readonly ShownResource[],
  byId: ReadonlyMap<string, ShownResource>,
  parentOf: (resource: ShownResource) => string,
): readonly ShownResource[] {
  const kept = new Map<string, ShownResource>();
  for (const resource of matching) {
    let next: ShownResource | undefined = resource;
    while (next !== undefined && !kept.has(next.id)) {
      kept.set(next.id, next);
      next = byId.get(parentOf(next));
    }
  }
  return [...kept.values()];
}

/** By kind and name, so that nothing jumps when states change. */
function compareResources(left: ShownResource, right: ShownResource): number {
  return compareNames(left.kind, right.kind) || compareNames(left.name, right.name);
}

/** Names in a cluster are plain letters: the rules of a language would only take time, thousands of times for each change. */
function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
