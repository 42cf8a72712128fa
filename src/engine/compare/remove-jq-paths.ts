import { LruMap } from '../../base/index.ts';
import { isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { compileJqDeletion, LimitError, TemplateError } from '../../template/index.ts';
import { Patience } from '../patience.ts';

type Deletion = ReturnType<typeof compileJqDeletion> & { readonly patience: Patience };

/** Rules are few and used for every object: each is read once. What cannot be read is remembered too. */
const deletions = new LruMap<string, Deletion | TemplateError>(500);

/** The object without what jq expressions point at. An expression that cannot be read, or makes no sense for the object, changes nothing. */
export function removeJqPaths(object: KubeObject, expressions: readonly string[]): KubeObject {
  return expressions.reduce((result, text) => {
    const deletion = compile(text);
    return deletion instanceof TemplateError ? result : apply(deletion, result);
  }, object);
}

/** Why an expression cannot be read; undefined where it can. */
export function findJqProblem(text: string): string | undefined {
  const deletion = compile(text);
  return deletion instanceof TemplateError ? deletion.message : undefined;
}

function compile(text: string): Deletion | TemplateError {
  let deletion = deletions.get(text);
  if (deletion !== undefined) return deletion;
  try {
    deletion = { ...compileJqDeletion(text), patience: new Patience() };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    deletion = error;
  }
  deletions.set(text, deletion);
  return deletion;
}

function apply(deletion: Deletion, object: KubeObject): KubeObject {
  if (!deletion.patience.mayTry()) return object;
  try {
    const result = deletion.apply(object as unknown as JsonValue);
    deletion.patience.note(false);
    // All of an object cannot be taken out of it.
    return isJsonObject(result) ? (result as unknown as KubeObject) : object;
  } catch (error) {
    deletion.patience.note(error instanceof LimitError);
    // A path into what this object does not have points at nothing.
    if (error instanceof TemplateError) return object;
    throw error;
  }
}
