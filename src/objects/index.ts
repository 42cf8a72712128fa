/** Kubernetes objects as values: schemas, selectors, quantities, names, and the patch algebras. Pure: no I/O, no clock, no chance. */
export {
  ApplyConflict,
  applyServerSide,
  createFieldSet,
  decodeFieldsV1,
  emptyObjectOf,
  encodeFieldsV1,
  equalIgnoringFieldTimes,
  fieldsOfObject,
  fieldSetsEqual,
  FieldsV1Invalid,
  hasField,
  intersectFieldSets,
  jsonEquals,
  leavesOfFieldSet,
  listFields,
  parentManagedFields,
  printPath,
  resetFieldsOf,
  restoreFields,
  scaleManagedFields,
  subtractFieldSet,
  subtractFieldTrees,
  trackUpdate,
  unionFieldSets,
  withManagedFields,
} from './apply/index.ts';
export { describeFieldError, describeFieldErrors, forbiddenValue, invalidValue, requiredValue, tooLongValue } from './field-error.ts';
export { canonicalJson } from './canonical-json.ts';
export { sameJson } from './same-json.ts';
export { builtinDefaults } from './defaults/builtin-defaults.ts';
export { formatFieldSelector, matchesFieldSelector, parseFieldSelector } from './field-selector.ts';
export { scaleIntOrPercent } from './int-or-percent.ts';
export { listAt, mapListAt, mapObjectAt, numberAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from './json-path.ts';
export { fieldOf, isJsonArray, isJsonObject, itemOf, mapFields, mapItems } from './json-value.ts';
export { controllerOf, formatApiVersion, formatMicroTime, formatTime, parseApiVersion, parseTime } from './kube-object.ts';
export { checkValueCount, formatLabelSelector, matchesLabelSelector, readLabelSelector } from './label-selector.ts';
export {
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validatePathSegment,
  validateQualifiedName,
} from './names.ts';
export { parseLabelSelector } from './parse-label-selector.ts';
export {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  createStrategicMergePatch,
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
  parseJsonPatch,
  PatchError,
} from './patch/index.ts';
export { addQuantities, compareQuantities, formatQuantity, parseQuantity, QuantityError, quantityToInteger } from './quantity.ts';
export { builtinOpenApiDefinitions, builtinResources, builtinSchema, builtinTypeSchema, schemaFromOpenApiV3 } from './schema/index.ts';
export { isObjectMissing, isStatusError, StatusError, statusError } from './status-error.ts';
export { validateMetadata, validateMetadataUpdate } from './validate-metadata.ts';
export {
  checkStructural,
  completeCustomSchema,
  countUnevaluatedRules,
  createPatternBudget,
  parseStructural,
  pruneBuiltinObject,
  pruneCustomObject,
  setDefaults,
  strictDecodingError,
  unknownFieldWarning,
  validateBuiltinObject,
  validateCustomObject,
} from './structural/index.ts';
export type {
  ApplyRequest,
  ApplyResult,
  FieldNode,
  FieldPath,
  FieldSet,
  FieldsOperation,
  ManagedFieldsEntry,
  PathElement,
  ReplicasPaths,
  ScaleOwners,
  UpdateToTrack,
} from './apply/index.ts';
export type { FieldError, FieldErrorReason } from './field-error.ts';
export type { FieldRequirement, FieldSelector } from './field-selector.ts';
export type { JsonArray, JsonObject, JsonValue } from './json-value.ts';
export type { KubeObject, ObjectMeta, OwnerReference } from './kube-object.ts';
export type { LabelOperator, LabelRequirement, Labels, LabelSelector } from './label-selector.ts';
export type { JsonPatchOperation, PatchErrorStatus, ThreeWayInput } from './patch/index.ts';
export type { Quantity, QuantityFormat } from './quantity.ts';
export type { ApiResource, GroupVersionKind, Schema, SchemaType } from './schema/index.ts';
export type { MetadataRules } from './validate-metadata.ts';
export type { Status, StatusDetails, StatusReason } from './status-error.ts';
export type { PatternBudget, Pruned, StructuralSchema } from './structural/index.ts';
