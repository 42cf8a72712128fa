/** Follows the objects of a kind: lists, watches, recovers by itself, and says what is wrong while it cannot. */
export { createReflector } from './reflector.ts';
export type { ReflectorEvent, ReflectorLimits, ReflectorOptions, ReflectorState } from './reflector-options.ts';
export type { Reflector, ReflectorCounts } from './reflector.ts';
export type { Trouble, TroubleReason } from './trouble.ts';
