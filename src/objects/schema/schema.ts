import type { JsonValue } from '../json-value.ts';

/** The JSON types of the API; a schema without one accepts any value (or, with `intOrString` or `quantity`, the values those name). */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/**
 * What is known of one field or object: references are already followed, so a user never meets one. The children (`properties`,
 * `items`, `additionalProperties`) may be computed when first read, because schemas recur: do not walk a whole schema, walk a value
 * with the schema beside it. An absent member means that the schema does not say, and never that it says no.
 */
export interface Schema {
  readonly type?: SchemaType;
  readonly format?: string;
  readonly nullable?: boolean;
  /** An integer or a string (a port, a percentage). */
  readonly intOrString?: boolean;
  /** A resource quantity: a number or a string, equal when the amounts are equal. */
  readonly quantity?: boolean;
  /** Fields that the schema does not name are kept. */
  readonly preserveUnknownFields?: boolean;
  /** The value is itself a Kubernetes object, with apiVersion, kind and metadata. */
  readonly embeddedResource?: boolean;

  /** The named fields of an object. */
  readonly properties?: ReadonlyMap<string, Schema>;
  readonly required?: readonly string[];
  /** The values of a map with free keys. */
  readonly additionalProperties?: Schema;
  /** The elements of a list. */
  readonly items?: Schema;
  readonly enum?: readonly JsonValue[];
  readonly default?: JsonValue;
  /** Nothing below has a default. Absent where nobody has looked: see above. */
  readonly lacksDefaults?: true;

  /** Server-side apply: a list is replaced whole (atomic, also when absent), a set of scalars, or a map by `listMapKeys`. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** Server-side apply: an object is replaced whole (atomic), or field by field (granular, also when absent). */
  readonly mapType?: 'atomic' | 'granular';

  /** Strategic merge: any of `merge`, `replace`, `retainKeys`; none means replace for lists and merge for objects. */
  readonly patchStrategies?: readonly string[];
  /** Strategic merge: the field that tells the elements of a list apart. */
  readonly patchMergeKey?: string;
}
