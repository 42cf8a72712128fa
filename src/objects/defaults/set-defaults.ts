import type { JsonObject } from '../json-value.ts';

/** Sets what an object of a kind leaves out. It changes nothing the second time. */
export type SetDefaults = (object: JsonObject) => JsonObject;
