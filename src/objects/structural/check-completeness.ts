import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { childPath, fieldError } from './make-field-error.ts';
import type { FieldError } from '../field-error.ts';
import { propertiesOf, propertyPath } from './schema-node.ts';

/** Every field that a junctor restricts must also be described outside of it, or pruning would not know it. */
export function checkCompleteness(schema: JsonObject, path: string, errors: FieldError[]): void {
  checkJunctors(schema, schema, { structure: path, rule: path }, errors);
}

interface Paths {
  /** Where the field must be described. */
  readonly structure: string;
  /** Where it is restricted. */
  readonly rule: string;
}

function checkJunctors(rule: JsonObject, structure: JsonObject, paths: Paths, errors: FieldError[]): void {
  const not = ownValue(rule, 'not');
  if (isJsonObject(not)) checkRule(not, structure, { ...paths, rule: childPath(paths.rule, 'not') }, errors);
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) {
    const alternatives = ownValue(rule, junctor);
    for (const [index, child] of (isJsonArray(alternatives) ? alternatives : []).entries())
      if (isJsonObject(child)) checkRule(child, structure, { ...paths, rule: `${childPath(paths.rule, junctor)}[${index}]` }, errors);
  }
}

function checkRule(rule: JsonObject, structure: JsonObject | undefined, paths: Paths, errors: FieldError[]): void {
  if (structure === undefined) {
    errors.push(fieldError('FieldValueRequired', paths.structure, `because it is defined in ${paths.rule}`));
    return;
  }
  checkJunctors(rule, structure, paths, errors);
  const items = ownValue(rule, 'items');
  if (isJsonObject(items)) {
    const described = ownValue(structure, 'items');
    const below = { structure: childPath(paths.structure, 'items'), rule: childPath(paths.rule, 'items') };
    checkRule(items, isJsonObject(described) ? described : undefined, below, errors);
  }
  const described = propertiesOf(structure);
  for (const [name, child] of propertiesOf(rule)) {
    const below = { structure: propertyPath(paths.structure, name), rule: propertyPath(paths.rule, name) };
    checkRule(child, described.get(name), below, errors);
  }
}
