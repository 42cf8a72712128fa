import type { JsonObject } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { checkLists } from './check-lists.ts';
import type { FieldError } from '../field-error.ts';
import { isPlainlyRight } from './is-plainly-right.ts';
import { createPatternBudget, type PatternBudget } from './pattern.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

export interface ValidateOptions {
  /** An object that was accepted before: what is shared with it is not looked at. */
  readonly known?: JsonObject | undefined;
  /** What patterns may take; that of one object unless given. */
  readonly budget?: PatternBudget;
}

/**
 * What is wrong with a custom object, in the API server's words. CEL rules (`x-kubernetes-validations`) are not evaluated: see
 * `countUnevaluatedRules`. Prune and set defaults first.
 */
export function validateCustomObject(
  object: JsonObject,
  schema: StructuralSchema,
  { known, budget = createPatternBudget() }: ValidateOptions = {},
): readonly FieldError[] {
  if (isPlainlyRight(object, schema, known)) return [];
  const result = validateValue(object, schema, { path: '', setting: { isNullAbsent: false, budget }, known });
  const errors = result.failures.map(({ error }) => error);
  checkLists(object, schema, { path: '', known }, errors);
  return errors;
}

/**
 * Where an object of a built-in kind does not fit the kind's types, or lacks a field that every object of the kind has. The rules that
 * Kubernetes has in code beyond that are not known here.
 */
export function validateBuiltinObject(object: JsonObject, schema: Schema): readonly FieldError[] {
  const setting = { isNullAbsent: true, budget: createPatternBudget() };
  return validateValue(object, schema, { path: '', setting }).failures.map(({ error }) => error);
}

/** How many CEL rules a schema has in all; none of them is evaluated. */
export function countUnevaluatedRules(schema: StructuralSchema): number {
  const children = [...(schema.properties?.values() ?? []), schema.items, schema.additionalProperties, ...(schema.allOf ?? [])];
  return children.reduce((sum, child) => sum + (child === undefined ? 0 : countUnevaluatedRules(child)), schema.rules ?? 0);
}
