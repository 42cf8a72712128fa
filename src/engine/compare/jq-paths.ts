import { LruMap } from '../../base/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { compileJqPaths, LimitError, TemplateError } from '../../template/index.ts';
import type { JqQuery } from '../../template/index.ts';
import { Patience } from '../patience.ts';

/** A step into an object, or into a list. */
export type JqPath = readonly (string | number)[];

interface Query {
  readonly jq: JqQuery;
  readonly patience: Patience;
}

/** As in `removeJqPaths`. */
const queries = new LruMap<string, Query | TemplateError>(500);

/** Where in a value an expression points; nowhere where it cannot be read or makes no sense for the value. */
export function findJqPaths(value: JsonValue, text: string): readonly JqPath[] {
  const query = compile(text);
  if (query instanceof TemplateError || !query.patience.mayTry()) return [];
  try {
    const paths = query.jq.run(value) as unknown as readonly JqPath[];
    query.patience.note(false);
    return paths;
  } catch (error) {
    query.patience.note(error instanceof LimitError);
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function compile(text: string): Query | TemplateError {
  let query = queries.get(text);
  if (query !== undefined) return query;
  try {
    query = { jq: compileJqPaths(text), patience: new Patience() };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    query = error;
  }
  queries.set(text, query);
  return query;
}
