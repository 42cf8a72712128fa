/** What a patch does to an object, and which patch makes one object of another: JSON patch, merge patch, strategic merge patch. */
export { applyJsonPatch, parseJsonPatch } from './json-patch.ts';
export { applyMergePatch, createMergePatch, createThreeWayMergePatch } from './merge-patch.ts';
export { PatchError } from './patch-error.ts';
export {
  applyStrategicMergePatch,
  createStrategicMergePatch,
  createThreeWayStrategicMergePatch,
} from './strategic/strategic-merge-patch.ts';
export type { JsonPatchOperation } from './json-patch.ts';
export type { ThreeWayInput } from './merge-patch.ts';
export type { PatchErrorStatus } from './patch-error.ts';
