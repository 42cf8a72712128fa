import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { EMPTY_FIELD_SET } from './field-set.ts';
import type { FieldNode, FieldSet } from './field-set.ts';

/**
 * Brings a stored set in line with a schema that changed since: where something became atomic, who owned parts of it owns it whole. The
 * reverse, from atomic to granular, leaves sets as they are.
 */
export function reconcileFields(set: FieldSet, atom: Atom): FieldSet {
  return reconcileNode(set, false, atom) ?? set;
}

/** The children of a node after the change; `'whole'` where the node itself is owned now; undefined where nothing changed. */
function reconcileChildren(set: FieldSet, isLeaf: boolean, { map, scalar, list }: Atom): FieldSet | 'whole' | undefined {
  if (map !== undefined) {
    if (map.isFree()) return undefined;
    if (!isLeaf && map.atomic) return set.size > 0 ? 'whole' : undefined;
    return eachNode(set, (node) => typeBelow(map, node));
  }
  if (scalar !== undefined || list === undefined) return undefined;
  if (!isLeaf && list.keys === undefined) return 'whole';
  return eachNode(set, () => itemType(list));
}

function reconcileNode(set: FieldSet, isLeaf: boolean, atom: Atom): FieldSet | undefined {
  const result = reconcileChildren(set, isLeaf, atom);
  return result === 'whole' ? undefined : result;
}

function eachNode(set: FieldSet, typeOf: (node: FieldNode) => Atom | undefined): FieldSet | undefined {
  let changed: Map<string, FieldNode> | undefined;
  for (const [key, node] of set) {
    const type = typeOf(node);
    if (type === undefined) continue;
    const result = reconcileChildren(node.children, node.member && node.children.size === 0, type);
    if (result === undefined) continue;
    changed ??= new Map(set);
    if (result === 'whole') changed.set(key, { element: node.element, member: true, children: EMPTY_FIELD_SET });
    else changed.set(key, { element: node.element, member: node.member, children: result });
  }
  return changed;
}

function typeBelow(map: MapAtom, { element }: FieldNode): Atom | undefined {
  return (element.kind === 'field' ? map.field(element.name) : undefined) ?? map.values?.();
}

function itemType(list: ListAtom): Atom {
  return list.items();
}
