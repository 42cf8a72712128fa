import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { childPath, fieldError, valueError } from './make-field-error.ts';
import type { FieldError } from '../field-error.ts';
import { findPatternProblem } from './pattern.ts';
import { propertiesOf, propertyPath } from './schema-node.ts';

/** Which junctors of a node may name types because they spell out an integer or a string. */
export interface Exempt {
  readonly anyOf: boolean;
  readonly firstAllOfAnyOf: boolean;
}

const NOTHING: Exempt = { anyOf: false, firstAllOfAnyOf: false };

/** What must not stand below `allOf`, `anyOf`, `oneOf` and `not`: anything that shapes the value instead of restricting it. */
const FORBIDDEN: readonly (readonly [name: string, detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** Checks the junctors of a node; what is below them may only restrict. */
export function checkNested(node: JsonObject, exempt: Exempt, path: string, errors: FieldError[]): void {
  if (!exempt.anyOf) checkEach(node, 'anyOf', path, errors);
  checkEach(node, 'allOf', path, errors, exempt.firstAllOfAnyOf);
  checkEach(node, 'oneOf', path, errors);
  const not = ownValue(node, 'not');
  if (isJsonObject(not)) checkRestriction(not, NOTHING, childPath(path, 'not'), errors);
}

function checkEach(node: JsonObject, junctor: string, path: string, errors: FieldError[], isFirstAnyOfExempt = false): void {
  const alternatives = ownValue(node, junctor);
  for (const [index, child] of (isJsonArray(alternatives) ? alternatives : []).entries()) {
    const exempt = { anyOf: isFirstAnyOfExempt && index === 0, firstAllOfAnyOf: false };
    if (isJsonObject(child)) checkRestriction(child, exempt, `${childPath(path, junctor)}[${index}]`, errors);
  }
}

function checkRestriction(node: JsonObject, exempt: Exempt, path: string, errors: FieldError[]): void {
  checkNested(node, exempt, path, errors);
  checkPattern(node, path, errors);
  const items = ownValue(node, 'items');
  if (isJsonObject(items)) checkRestriction(items, NOTHING, childPath(path, 'items'), errors);
  const properties = propertiesOf(node);
  for (const [name, child] of properties) checkRestriction(child, NOTHING, propertyPath(path, name), errors);
  for (const [name, detail] of FORBIDDEN)
    if (says(node, name)) errors.push(fieldError('FieldValueForbidden', childPath(path, name), detail));
  if (properties.has('metadata'))
    errors.push(fieldError('FieldValueForbidden', propertyPath(path, 'metadata'), 'must not be specified in a nested context'));
}

export function checkPattern(node: JsonObject, path: string, errors: FieldError[]): void {
  const pattern = ownValue(node, 'pattern');
  if (typeof pattern !== 'string' || pattern === '') return;
  const problem = findPatternProblem(pattern);
  if (problem !== undefined)
    errors.push(
      valueError(
        'FieldValueInvalid',
        childPath(path, 'pattern'),
        pattern,
        `must be a valid regular expression, but isn't: ${problem.message}`,
      ),
    );
}

function says(node: JsonObject, name: string): boolean {
  const value = ownValue(node, name);
  if (value === undefined || value === null || value === false || value === '') return false;
  return !isJsonArray(value) || value.length > 0;
}
