/** Server-side apply: who owns which field of an object, and what an applied configuration makes of it. */
export { ApplyConflict } from './apply-conflict.ts';
export { applyServerSide } from './apply-server-side.ts';
export { jsonEquals } from './compare-json.ts';
export { emptyObjectOf } from './empty-object.ts';
export { equalIgnoringFieldTimes } from './equal-ignoring-field-times.ts';
export {
  createFieldSet,
  fieldSetsEqual,
  hasField,
  intersectFieldSets,
  leavesOfFieldSet,
  listFields,
  subtractFieldSet,
  subtractFieldTrees,
  unionFieldSets,
} from './field-set.ts';
export { decodeFieldsV1, encodeFieldsV1, FieldsV1Invalid } from './fields-v1.ts';
export { fieldsOfObject } from './fields-of-object.ts';
export { withManagedFields } from './managed-fields.ts';
export { printPath } from './path-element.ts';
export { resetFieldsOf, restoreFields } from './reset-fields.ts';
export { parentManagedFields, scaleManagedFields } from './scale-owners.ts';
export { trackUpdate } from './track-update.ts';
export type { ApplyRequest, ApplyResult } from './apply-server-side.ts';
export type { FieldNode, FieldSet } from './field-set.ts';
export type { FieldsOperation, ManagedFieldsEntry } from './managed-fields.ts';
export type { FieldPath, PathElement } from './path-element.ts';
export type { ReplicasPaths, ScaleOwners } from './scale-owners.ts';
export type { UpdateToTrack } from './track-update.ts';
