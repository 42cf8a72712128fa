import { LruMap } from '../../base/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import { compileJqPaths, LimitError, TemplateError } from '../../template/index.ts';
import type { JqQuery } from '../../template/index.ts';
import { PatienceByNamespace } from '../patience.ts';
import { createStepShares, type StepShare } from './step-shares.ts';

/** A step into an object, or into a list. */
export type JqPath = readonly (string | number)[];

interface Query {
  readonly jq: JqQuery;
  readonly patience: PatienceByNamespace;
}

/** As in `removeJqPaths`. */
const queries = new LruMap<string, Query | TemplateError>(500);

/** Where in an object expressions point; nowhere where one cannot be read or makes no sense for the object. */
export function findJqPaths(object: KubeObject, expressions: readonly string[], project?: string): readonly JqPath[] {
  if (expressions.length === 0) return [];
  const nextShare = createStepShares();
  return expressions.flatMap((text) => {
    const query = compile(text);
    return query instanceof TemplateError ? [] : run(query, object, { project, share: nextShare() });
  });
}

function run(
  { jq, patience: patiences }: Query,
  object: KubeObject,
  { project, share }: { readonly project: string | undefined; readonly share: StepShare },
): readonly JqPath[] {
  const patience = patiences.in(object.metadata.namespace ?? '', project);
  if (!patience.mayTry()) return [];
  try {
    const paths = jq.run(object as unknown as JsonValue, share) as unknown as readonly JqPath[];
    patience.note(false);
    return paths;
  } catch (error) {
    if (!share.wasCutShort()) patience.note(error instanceof LimitError);
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function compile(text: string): Query | TemplateError {
  let query = queries.get(text);
  if (query !== undefined) return query;
  try {
    query = { jq: compileJqPaths(text), patience: new PatienceByNamespace() };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    query = error;
  }
  queries.set(text, query);
  return query;
}
