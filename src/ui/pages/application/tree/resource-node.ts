import type { ApplicationTree, InfoItem, ResourceNode, ResourceRef, ResourceStatus } from '../../../../contract/gen/types.ts';

/** A resource as the page shows it: what the tree knows of it, and what the comparison says. */
export interface ShownResource {
  /** `group/kind/namespace/name`: also what addresses hold. */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly parents: readonly string[];
  readonly health: string | undefined;
  readonly healthMessage: string | undefined;
  /** Undefined for what the application does not declare itself. */
  readonly sync: string | undefined;
  readonly requiresPruning: boolean;
  readonly isHook: boolean;
  readonly isOrphan: boolean;
  readonly info: readonly InfoItem[];
  readonly images: readonly string[];
  readonly createdAt: string | null | undefined;
  readonly node: ResourceNode | undefined;
}

export function resourceId({ group = '', kind = '', namespace = '', name = '' }: ResourceRef | ResourceStatus): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** Everything that belongs to the application: what lives, what should (`wanted`), and what lives beside it. */
export function listResources(wanted: readonly ResourceStatus[], tree: ApplicationTree): readonly ShownResource[] {
  const declared = new Map(wanted.map((resource) => [resourceId(resource), resource]));
  const shown: ShownResource[] = [];
  for (const node of tree.nodes ?? []) {
    const id = resourceId(node);
    shown.push(describeLive(node, declared.get(id), false));
    declared.delete(id);
  }
  for (const resource of declared.values()) if (resource.hook !== true) shown.push(describe(undefined, resource, false));
  for (const node of tree.orphanedNodes ?? []) shown.push(describeLive(node, undefined, true));
  return shown;
}

interface Described {
  readonly declared: ResourceStatus | undefined;
  readonly shown: ShownResource;
}

const described = new WeakMap<ResourceNode, Described>();

/** Of a tree with thousands of nodes that comes again usually one is another: the rest stay the same objects, and are not drawn anew. */
function describeLive(node: ResourceNode, declared: ResourceStatus | undefined, isOrphan: boolean): ShownResource {
  const before = described.get(node);
  if (before !== undefined && before.declared === declared && before.shown.isOrphan === isOrphan) return before.shown;
  const shown = describe(node, declared, isOrphan);
  described.set(node, { declared, shown });
  return shown;
}

function describe(node: ResourceNode | undefined, declared: ResourceStatus | undefined, isOrphan: boolean): ShownResource {
  const named = node ?? declared ?? {};
  const health = node?.health ?? declared?.health;
  return {
    id: resourceId(named),
    group: named.group ?? '',
    version: named.version ?? '',
    kind: named.kind ?? '',
    namespace: named.namespace ?? '',
    name: named.name ?? '',
    uid: node?.uid ?? '',
    parents: (node?.parentRefs ?? []).map(resourceId),
    health: health?.status ?? (node === undefined ? 'Missing' : undefined),
    healthMessage: health?.message,
    sync: declared?.status,
    requiresPruning: declared?.requiresPruning === true,
    isHook: declared?.hook === true,
    isOrphan,
    info: node?.info ?? [],
    images: node?.images ?? [],
    createdAt: node?.createdAt,
    node,
  };
}
