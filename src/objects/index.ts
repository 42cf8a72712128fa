/** Kubernetes objects as values: schemas, selectors, quantities, names, and the patch algebras. Pure: no I/O, no clock, no chance. */
export {
  ApplyConflict,
  ApplyError,
  applyServerSide,
  createFieldSet,
  decodeFieldsV1,
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
export { isJsonArray, isJsonObject } from './json-value.ts';
export { builtinResources, builtinSchema, schemaFromOpenApiV3 } from './schema/index.ts';
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
  StatusCause,
  UpdateToTrack,
} from './apply/index.ts';
export type { JsonArray, JsonObject, JsonValue } from './json-value.ts';
export type { JsonPatchOperation, PatchErrorStatus, ThreeWayInput } from './patch/index.ts';
export type { ApiResource, GroupVersionKind, Schema, SchemaType } from './schema/index.ts';
