import { decodeFieldsV1, FieldsV1Invalid, type FieldSet, type JsonValue } from '../../objects/index.ts';

/** The fields that an entry of `managedFields` names. What a newer writer wrote may not be readable; it names none then. */
export function readFields(fields: JsonValue | undefined): FieldSet {
  try {
    return decodeFieldsV1(fields);
  } catch (error) {
    if (error instanceof FieldsV1Invalid) return new Map();
    throw error;
  }
}
