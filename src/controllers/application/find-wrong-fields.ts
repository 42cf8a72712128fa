import {
  builtinSchema,
  createPatternBudget,
  describeFieldError,
  pruneBuiltinObject,
  pruneCustomObject,
  setDefaults,
  strictDecodingError,
  validateBuiltinObject,
  validateCustomObject,
  validateDns1123Subdomain,
  validateMetadata,
  validatePathSegment,
  type FieldError,
  type JsonObject,
  type KubeObject,
  type PatternBudget,
} from '../../objects/index.ts';
import type { CustomKind } from './custom-kinds.ts';

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
  return errors.length === 0 ? undefined : `error validating data: ${describeFirst(errors)}`;
}

/**
 * The same of an object of a custom kind that is to be created. Rules in CEL are for the cluster to judge, and so is everything where patterns
 * take more than their budget.
 */
export function findWrongCustomFields(
  desired: KubeObject,
  { schema, keepsUnknown, hasStatus }: CustomKind,
  budget: PatternBudget = createPatternBudget(),
): string | undefined {
  const { object, unknown } = pruneCustomObject(desired as unknown as JsonObject, schema);
  if (unknown.length > 0 && !keepsUnknown) return `error validating data: ${strictDecodingError(unknown)}`;
  const { status, ...rest } = object;
  const applied = hasStatus || status === undefined ? rest : { ...rest, status };
  const errors = validateCustomObject(setDefaults(applied, schema), schema, { budget });
  return errors.length === 0 || budget.isSpent ? undefined : `error validating data: ${describeFirst(errors)}`;
}

/** Of what is wrong in thousands of places some are enough to find the cause. */
const toldMax = 50;

function describeFirst(errors: readonly FieldError[]): string {
  const told = errors.slice(0, toldMax).map(describeFieldError).join(', ');
  return errors.length > toldMax ? `${told} and ${errors.length - toldMax} more` : told;
}

/** The few kinds whose names may be more than a subdomain. */
const FREELY_NAMED = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'IPAddress', 'ClusterTrustBundle']);

/** What is wrong with the name, the labels and the annotations of an object that is to be created. */
export function findWrongMetadata({ kind, metadata }: KubeObject): string | undefined {
  const { name, labels, annotations } = metadata;
  const errors = validateMetadata(
    { name: name ?? 'generated', ...(labels && { labels }), ...(annotations && { annotations }) },
    { namespaced: false, validateName: FREELY_NAMED.has(kind) ? validatePathSegment : validateDns1123Subdomain },
  );
  return errors.length === 0 ? undefined : `error validating data: ${describeFirst(errors)}`;
}
