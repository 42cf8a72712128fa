import { isJsonObject, jsonObject } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { decodePathElement } from './path-element.ts';
import { EMPTY_FIELD_SET, sortNodes } from './field-set.ts';
import type { FieldNode, FieldSet } from './field-set.ts';

/** FieldsV1 that cannot be read. */
export class FieldsV1Invalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FieldsV1Invalid';
  }
}

/** The set as `managedFields` stores it, its keys in the canonical order. `.` says that a node with children is a member too. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  const known = encodings.get(set);
  if (known !== undefined) return known;
  const fields = jsonObject(sortNodes(set).map((node) => [node.element.text, encodeNode(node)]));
  encodings.set(set, fields);
  decodings.set(fields, set);
  return fields;
}

/** Sets and JSON are values, so that what was worked out once holds: a write leaves the fields of most owners as they were. */
const encodings = new WeakMap<FieldSet, JsonObject>();
const decodings = new WeakMap<JsonObject, FieldSet>();

const LEAF: JsonObject = {};

function encodeNode(node: FieldNode): JsonObject {
  if (node.children.size === 0) return LEAF;
  const below = jsonObject(sortNodes(node.children).map((child) => [child.element.text, encodeNode(child)]));
  return node.member ? { '.': LEAF, ...below } : below;
}

/** Elements of unknown kinds are dropped, as a newer writer may know more; anything malformed throws FieldsV1Invalid. */
export function decodeFieldsV1(fields: JsonValue | undefined): FieldSet {
  if (fields === undefined || fields === null) return EMPTY_FIELD_SET;
  if (!isJsonObject(fields)) throw new FieldsV1Invalid('fieldsV1 must be an object');
  let set = decodings.get(fields);
  if (set === undefined) decodings.set(fields, (set = decodeNodes(fields).children));
  return set;
}

function decodeNodes(fields: JsonObject): { member: boolean; children: FieldSet } {
  const children = new Map<string, FieldNode>();
  let member = false;
  for (const [text, below] of Object.entries(fields)) {
    if (text === '.') {
      member = true;
      continue;
    }
    const element = readElement(text);
    if (element === undefined) continue;
    if (below !== null && !isJsonObject(below)) throw new FieldsV1Invalid(`fieldsV1 must have objects only, but ${text} has another value`);
    const node = below === null ? { member: true, children: EMPTY_FIELD_SET } : decodeNodes(below);
    children.set(element.text, { element, ...node });
  }
  return { member: member || children.size === 0, children };
}

function readElement(text: string): ReturnType<typeof decodePathElement> {
  try {
    return decodePathElement(text);
  } catch (error) {
    throw new FieldsV1Invalid(error instanceof Error ? error.message : String(error));
  }
}
