import { LruMap } from '../../base/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { compileJq, TemplateError } from '../../template/index.ts';
import type { JqQuery } from '../../template/index.ts';

/** A step into an object, or into a list. */
export type JqPath = readonly (string | number)[];

/** As in `removeJqPaths`. */
const queries = new LruMap<string, JqQuery | TemplateError>(500);

/** Where in a value an expression points; nowhere where it cannot be read or makes no sense for the value. */
export function findJqPaths(value: JsonValue, text: string): readonly JqPath[] {
  const query = compile(text);
  if (query instanceof TemplateError) return [];
  try {
    return query.run(value) as unknown as readonly JqPath[];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function compile(text: string): JqQuery | TemplateError {
  let query = queries.get(text);
  if (query !== undefined) return query;
  try {
    query = compileJq(`path(${text})`);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    query = error;
  }
  queries.set(text, query);
  return query;
}
