import { jsonEquals } from '../apply/compare-json.ts';
import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { checkCompleteness } from './check-completeness.ts';
import { checkNested, checkPattern } from './check-nested.ts';
import { childPath, fieldError, sortFieldErrors, valueError } from './make-field-error.ts';
import type { FieldError } from '../field-error.ts';
import { propertiesOf, propertyPath } from './schema-node.ts';

/**
 * Why the `openAPIV3Schema` of a CustomResourceDefinition is not structural, in the API server's words; nothing where it is. `path` is
 * where the schema stands, as `spec.versions[0].schema.openAPIV3Schema`.
 */
export function checkStructural(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, 'root', path, errors);
  checkCompleteness(schema, path, errors);
  return sortFieldErrors(errors);
}

type Level = 'root' | 'item' | 'field';

const EMPTY_TYPE: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkNode(node: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const { items, additionalProperties } = node;
  const properties = propertiesOf(node);
  if (node['type'] === 'array' && !isJsonObject(items))
    errors.push(fieldError('FieldValueRequired', childPath(path, 'items'), 'must be specified'));
  if (isJsonObject(items)) checkNode(items, 'item', childPath(path, 'items'), errors);
  for (const [name, child] of properties) checkNode(child, 'field', propertyPath(path, name), errors);
  if (additionalProperties !== undefined) {
    const at = childPath(path, 'additionalProperties');
    if (level === 'root') errors.push(fieldError('FieldValueForbidden', at, 'must not be used at the root'));
    if (isJsonObject(additionalProperties)) checkNode(additionalProperties, 'field', at, errors);
  }
  checkExtensions(node, path, errors);
  checkValueRules(node, path, errors);
  checkType(node, level, path, errors);
  checkIdentityFields(node, level, path, errors);
}

function checkExtensions(node: JsonObject, path: string, errors: FieldError[]): void {
  if (!isSet(node, 'x-kubernetes-int-or-string')) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'])
    if (isSet(node, name))
      errors.push(valueError('FieldValueInvalid', childPath(path, name), true, 'must be false if x-kubernetes-int-or-string is true'));
}

/** An integer or a string may say so in a first `anyOf`, which would be against the rules elsewhere. */
const INT_OR_STRING: JsonValue = [{ type: 'integer' }, { type: 'string' }];

function checkValueRules(node: JsonObject, path: string, errors: FieldError[]): void {
  const allOf = ownValue(node, 'allOf');
  const firstAllOf = isJsonArray(allOf) && isJsonObject(allOf[0]) ? allOf[0] : {};
  const exempt = {
    anyOf: jsonEquals(ownValue(node, 'anyOf'), INT_OR_STRING),
    firstAllOfAnyOf: jsonEquals(ownValue(firstAllOf, 'anyOf'), INT_OR_STRING),
  };
  checkNested(node, exempt, path, errors);
  checkPattern(node, path, errors);
}

function checkType(node: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = typeOf(node);
  const at = childPath(path, 'type');
  if (isSet(node, 'x-kubernetes-embedded-resource') && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? fieldError('FieldValueRequired', at, detail) : valueError('FieldValueInvalid', at, type, detail));
  } else if (type === '' && !isSet(node, 'x-kubernetes-int-or-string') && !isSet(node, 'x-kubernetes-preserve-unknown-fields')) {
    errors.push(fieldError('FieldValueRequired', at, EMPTY_TYPE[level]));
  }
  if (isSet(node, 'x-kubernetes-embedded-resource') && node['additionalProperties'] !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(fieldError('FieldValueForbidden', childPath(path, 'additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(valueError('FieldValueInvalid', at, type, 'must be object at the root'));
}

/** apiVersion, kind and metadata are the server's: a schema may only say of them what is true anyway, and restrict names. */
function checkIdentityFields(node: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const isResource = level === 'root' || isSet(node, 'x-kubernetes-embedded-resource');
  const properties = propertiesOf(node);
  for (const name of ['kind', 'apiVersion']) {
    const child = properties.get(name);
    if (child !== undefined && isResource && typeOf(child) !== 'string')
      errors.push(valueError('FieldValueInvalid', childPath(propertyPath(path, name), 'type'), typeOf(child), 'must be string'));
  }
  const metadata = properties.get('metadata');
  if (metadata !== undefined) {
    const at = propertyPath(path, 'metadata');
    if (isResource && typeOf(metadata) !== 'object')
      errors.push(valueError('FieldValueInvalid', childPath(at, 'type'), typeOf(metadata), 'must be object'));
    if (level === 'root' && !saysOnlyNames(metadata)) {
      const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      errors.push(fieldError('FieldValueForbidden', at, detail));
    }
  }
  if (isSet(node, 'x-kubernetes-embedded-resource') && !isSet(node, 'x-kubernetes-preserve-unknown-fields') && properties.size === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldError('FieldValueRequired', childPath(path, 'properties'), detail));
  }
}

function saysOnlyNames(metadata: JsonObject): boolean {
  const names = [...propertiesOf(metadata).keys()];
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return false;
  return Object.keys(metadata).every((key) => ['type', 'properties', 'default'].includes(key));
}

function isSet(node: JsonObject, name: string): boolean {
  return ownValue(node, name) === true;
}

function typeOf(node: JsonObject): string {
  const type = ownValue(node, 'type');
  return typeof type === 'string' ? type : '';
}
