import type { Schema } from '../../schema/index.ts';
import { PatchError } from '../patch-error.ts';

/** How a field of an object merges. */
export interface FieldStrategy {
  /** The schema of the field's object, or of the elements of the field's list. */
  readonly schema: Schema;
  readonly strategy: 'merge' | 'replace' | undefined;
  readonly retainKeys: boolean;
  readonly mergeKey: string | undefined;
}

/** Objects can only be merged where the fields are known; the values of a map with free keys cannot be, if they are objects. */
export function objectFieldStrategy(schema: Schema, field: string): FieldStrategy {
  const child = schema.properties?.get(field);
  if (child === undefined) throw new PatchError(500, `unable to find api field ${JSON.stringify(field)}`);
  return { schema: child, ...parseStrategies(child) };
}

export function listFieldStrategy(schema: Schema, field: string): FieldStrategy {
  const found = objectFieldStrategy(schema, field);
  const { items } = found.schema;
  if (items === undefined) throw new PatchError(500, `expected slice or array type for api field ${JSON.stringify(field)}`);
  if (items.type === 'array') throw new PatchError(500, 'unexpected slice of slice');
  return { ...found, schema: items };
}

function parseStrategies({ patchStrategies = [], patchMergeKey }: Schema): Omit<FieldStrategy, 'schema'> {
  const others = patchStrategies.filter((strategy) => strategy !== 'retainKeys');
  const [strategy] = others;
  if (others.length > 1) throw new PatchError(500, `unexpected patch strategy: [${patchStrategies.join(' ')}]`);
  return {
    strategy: strategy === 'merge' || strategy === 'replace' ? strategy : undefined,
    retainKeys: others.length < patchStrategies.length,
    mergeKey: patchMergeKey,
  };
}
