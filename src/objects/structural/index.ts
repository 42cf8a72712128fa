/**
 * Schemas of custom resources: whether they are structural, and what they make of an object. CEL rules (`x-kubernetes-validations`) are
 * read and counted but never evaluated.
 */
export { checkStructural } from './check-structural.ts';
export { completeCustomSchema } from './custom-schema.ts';
export { createPatternBudget } from './pattern.ts';
export { pruneBuiltinObject, pruneCustomObject, strictDecodingError, unknownFieldWarning } from './prune.ts';
export { setDefaults } from './set-defaults.ts';
export { parseStructural } from './structural-schema.ts';
export { countUnevaluatedRules, validateBuiltinObject, validateCustomObject } from './validate-object.ts';
export type { PatternBudget } from './pattern.ts';
export type { Pruned } from './prune.ts';
export type { StructuralSchema } from './structural-schema.ts';
