import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { narrowAtom } from './atom.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { EMPTY_FIELD_SET } from './field-set.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { elementAddress } from './list-elements.ts';
import { fieldElement } from './path-element.ts';

/** Every field that a value has, down to what its type treats as one piece. The value must fit the type. */
export function fieldsOfValue(value: JsonValue, atom: Atom): FieldSet {
  return visit(value, atom).children;
}

type Visited = Pick<FieldNode, 'member' | 'children'>;

const LEAF: Visited = { member: true, children: EMPTY_FIELD_SET };
const NOTHING: Visited = { member: false, children: EMPTY_FIELD_SET };

function visit(value: JsonValue, atom: Atom): Visited {
  const { map, scalar, list } = narrowAtom(atom, value);
  if (map !== undefined) {
    if (map.atomic) return LEAF;
    return isJsonObject(value) ? { member: false, children: mapFields(value, map) } : NOTHING;
  }
  if (scalar !== undefined) return LEAF;
  if (list === undefined) return NOTHING;
  if (list.keys === undefined) return LEAF;
  return isJsonArray(value) ? { member: false, children: listFields(value, list) } : NOTHING;
}

function mapFields(value: JsonObject, map: MapAtom): FieldSet {
  const fields = new Map<string, FieldNode>();
  for (const [key, child] of Object.entries(value)) {
    const named = map.field(key);
    const type = named ?? map.values?.();
    const visited = type === undefined ? NOTHING : visit(child, type);
    // Entries of maps with free keys are owned themselves; named fields only by what is in them, unless there is nothing.
    const isOwned = named === undefined || child === null || (isJsonObject(child) && Object.keys(child).length === 0);
    addNode(fields, { element: fieldElement(key), member: visited.member || isOwned, children: visited.children });
  }
  return fields;
}

function listFields(value: JsonArray, list: ListAtom): FieldSet {
  const fields = new Map<string, FieldNode>();
  for (const child of value) {
    const element = elementAddress(list, child);
    const key = element.text;
    // Elements that share an address cannot be owned in part.
    const children = fields.has(key) ? EMPTY_FIELD_SET : visit(child, list.items()).children;
    fields.set(key, { element, member: true, children });
  }
  return fields;
}

function addNode(fields: Map<string, FieldNode>, node: FieldNode): void {
  if (node.member || node.children.size > 0) fields.set(node.element.text, node);
}
