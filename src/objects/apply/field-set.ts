import { comparePathElements } from './path-element.ts';
import type { FieldPath, PathElement } from './path-element.ts';

/**
 * A set of fields of an object, as a tree. A node may be a member itself, have members below it, or both. Keys are the elements'
 * encoded forms. Sets are values: no operation changes its operands, and a node without any member is never kept.
 */
export type FieldSet = ReadonlyMap<string, FieldNode>;

export interface FieldNode {
  readonly element: PathElement;
  readonly member: boolean;
  readonly children: FieldSet;
}

export const EMPTY_FIELD_SET: FieldSet = new Map();

export function createFieldSet(paths: Iterable<FieldPath>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

interface GrowingNode {
  readonly element: PathElement;
  member: boolean;
  /** The one that is always empty, until there is something below the node: most nodes are leaves. */
  children: Map<string, GrowingNode>;
}

const NO_CHILDREN: Map<string, GrowingNode> = new Map();

/** Collects paths; the empty path, which is the object itself, belongs to nobody and is ignored. */
export class FieldSetBuilder {
  readonly #root: Map<string, GrowingNode> = new Map();

  insert(path: FieldPath): void {
    let nodes = this.#root;
    const last = path.length - 1;
    for (let index = 0; index <= last; index++) {
      const element = path[index]!;
      let node = nodes.get(element.text);
      if (node === undefined) nodes.set(element.text, (node = { element, member: false, children: NO_CHILDREN }));
      if (index === last) node.member = true;
      else if (node.children === NO_CHILDREN) node.children = new Map();
      nodes = node.children;
    }
  }

  build(): FieldSet {
    return this.#root;
  }
}

export function hasField(set: FieldSet, path: FieldPath): boolean {
  let nodes = set;
  for (const [index, element] of path.entries()) {
    const node = nodes.get(element.text);
    if (node === undefined) return false;
    if (index === path.length - 1) return node.member;
    nodes = node.children;
  }
  return false;
}

export function fieldSetsEqual(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [key, node] of left) {
    const other = right.get(key);
    if (other === undefined || other.member !== node.member || !fieldSetsEqual(node.children, other.children)) return false;
  }
  return true;
}

export function unionFieldSets(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || left === right) return right;
  if (right.size === 0) return left;
  const result = new Map(left);
  for (const [key, node] of right) {
    const own = left.get(key);
    if (own === undefined) result.set(key, node);
    else
      result.set(key, { element: own.element, member: own.member || node.member, children: unionFieldSets(own.children, node.children) });
  }
  return result;
}

export function intersectFieldSets(left: FieldSet, right: FieldSet): FieldSet {
  const result = new Map<string, FieldNode>();
  for (const [key, node] of left) {
    const other = right.get(key);
    if (other !== undefined) keep(result, key, node, node.member && other.member, intersectFieldSets(node.children, other.children));
  }
  return result;
}

/** What is in `left` and not in `right`. A parent in `right` does not take its children away. */
export function subtractFieldSet(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  const result = new Map<string, FieldNode>();
  for (const [key, node] of left) {
    const other = right.get(key);
    if (other === undefined) result.set(key, node);
    else keep(result, key, node, node.member && !other.member, subtractFieldSet(node.children, other.children));
  }
  return result;
}

/** Like subtractFieldSet, but a field in `right` takes everything below it away too. */
export function subtractFieldTrees(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  const result = new Map<string, FieldNode>();
  for (const [key, node] of left) {
    const other = right.get(key);
    if (other === undefined) result.set(key, node);
    else if (!other.member) keep(result, key, node, node.member, subtractFieldTrees(node.children, other.children));
  }
  return result;
}

/** Only the members that have no member below them. */
export function leavesOfFieldSet(set: FieldSet): FieldSet {
  const result = new Map<string, FieldNode>();
  for (const [key, node] of set) {
    result.set(key, { element: node.element, member: node.member && node.children.size === 0, children: leavesOfFieldSet(node.children) });
  }
  return result;
}

/** Every member's path in the canonical order: the members of a level first, then what is below each. */
export function* listFields(set: FieldSet, prefix: FieldPath = []): Generator<FieldPath> {
  const nodes = sortNodes(set);
  for (const node of nodes) if (node.member) yield [...prefix, node.element];
  for (const node of nodes) if (node.children.size > 0) yield* listFields(node.children, [...prefix, node.element]);
}

export function sortNodes(set: FieldSet): readonly FieldNode[] {
  return [...set.values()].sort((left, right) => comparePathElements(left.element, right.element));
}

function keep(result: Map<string, FieldNode>, key: string, node: FieldNode, member: boolean, children: FieldSet): void {
  if (!member && children.size === 0) return;
  const unchanged = node.member === member && node.children === children;
  result.set(key, unchanged ? node : { element: node.element, member, children });
}
