import {
  builtinSchema,
  describeFieldError,
  pruneBuiltinObject,
  strictDecodingError,
  validateBuiltinObject,
  type JsonObject,
  type KubeObject,
} from '../../objects/index.ts';

/**
 * What is wrong with the fields of an object of a built-in kind: those that the kind does not have, those of another type, those that are
 * missing. The API would refuse them too, but only after others have been applied. Undefined where nothing is, or nobody here knows the kind.
 */
export function findWrongFields(desired: KubeObject): string | undefined {
  const schema = builtinSchema(desired.apiVersion, desired.kind);
  if (schema === undefined) return undefined;
  const { object, unknown } = pruneBuiltinObject(desired as unknown as JsonObject, schema);
  if (unknown.length > 0) return `error validating data: ${strictDecodingError(unknown)}`;
  // A status that somebody left in a manifest is not applied, whatever it lacks. What a Secret holds is in no message.
  const { status: _status, data, ...rest } = object;
  const applied = desired.kind === 'Secret' || data === undefined ? rest : { ...rest, data };
  const errors = validateBuiltinObject(applied, schema);
  return errors.length === 0 ? undefined : `error validating data: ${errors.map(describeFieldError).join(', ')}`;
}
