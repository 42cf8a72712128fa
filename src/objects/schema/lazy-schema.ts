import type { Schema } from './schema.ts';

type Children = Pick<Schema, 'properties' | 'items' | 'additionalProperties'>;

/** How to compute each child of a schema that has it. */
export type LazyChildren = { readonly [Name in keyof Children]: () => NonNullable<Children[Name]> };

/** A schema whose children are computed when they are first read, and once: that is what ends the recursion of recurring types. */
export function lazySchema(own: Omit<Schema, keyof Children>, children: LazyChildren): Schema {
  const schema: Schema = { ...own };
  for (const [name, compute] of Object.entries(children)) {
    Object.defineProperty(schema, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = compute();
        Object.defineProperty(schema, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return schema;
}
