import type { Atom } from './atom.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { EMPTY_FIELD_SET } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/**
 * The set with every named field above a member added. Named fields are usually not owned themselves, but a field that lost all that was
 * in it must go with it.
 */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  if (set.size === 0) return EMPTY_FIELD_SET;
  const result = new Map<string, FieldNode>();
  for (const [key, node] of set) {
    const isNamed = node.children.size > 0 && node.element.kind === 'field' && atom?.map?.field(node.element.name) !== undefined;
    const children = withNamedFields(node.children, atomBelow(atom, node.element));
    result.set(key, { element: node.element, member: node.member || isNamed, children });
  }
  return result;
}

function atomBelow(atom: Atom | undefined, element: PathElement): Atom | undefined {
  if (element.kind === 'field') return atom?.map?.field(element.name) ?? atom?.map?.values?.();
  return element.kind === 'key' ? atom?.list?.items() : undefined;
}
