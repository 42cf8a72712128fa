import type { JsonObject } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { atomOf } from './atom.ts';
import { checkTyped } from './check-typed.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';

/** Every field that an object has, as apply would own it: lists and maps by what the schema says of them. Throws TypedError. */
export function fieldsOfObject(object: JsonObject, schema: Schema | undefined): FieldSet {
  const atom = atomOf(schema);
  checkTyped(object, atom, 'allow');
  return fieldsOfValue(object, atom);
}
