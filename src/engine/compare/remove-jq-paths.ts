import { LruMap } from '../../base/index.ts';
import { isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { compileJqDeletion, createBudget, LimitError, TemplateError } from '../../template/index.ts';
import { PatienceByNamespace } from '../patience.ts';

type Deletion = ReturnType<typeof compileJqDeletion> & { readonly patience: PatienceByNamespace };

/** Rules are few and used for every object: each is read once. What cannot be read is remembered too. */
const deletions = new LruMap<string, Deletion | TemplateError>(500);

/** Twice as many as a single expression may take: where one goes past its limit, the others are followed still. */
export const objectStepsMax = 2_000_000;

/** The object without what jq expressions point at. An expression that cannot be read, or makes no sense for the object, changes nothing. */
export function removeJqPaths(object: KubeObject, expressions: readonly string[]): KubeObject {
  if (expressions.length === 0) return object;
  // Other rules may have taken all of its metadata.
  const { metadata } = object as Partial<KubeObject>;
  const namespace = metadata?.namespace ?? '';
  // One for all of them: others wait while they are looked at.
  const budget = createBudget({ stepsMax: objectStepsMax });
  return expressions.reduce((result, text) => {
    const deletion = compile(text);
    return deletion instanceof TemplateError ? result : apply(deletion, result, { namespace, budget });
  }, object);
}

/** Whether nothing is left of the steps for one object. */
export function isSpent({ step }: ReturnType<typeof createBudget>): boolean {
  try {
    step(0);
    return false;
  } catch (error) {
    if (error instanceof LimitError) return true;
    throw error;
  }
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
    deletion = { ...compileJqDeletion(text), patience: new PatienceByNamespace() };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    deletion = error;
  }
  deletions.set(text, deletion);
  return deletion;
}

function apply(
  deletion: Deletion,
  object: KubeObject,
  { namespace, budget }: { readonly namespace: string; readonly budget: ReturnType<typeof createBudget> },
): KubeObject {
  const patience = deletion.patience.in(namespace);
  if (!patience.mayTry()) return object;
  try {
    const result = deletion.apply(object as unknown as JsonValue, budget);
    patience.note(false);
    // All of an object cannot be taken out of it.
    return isJsonObject(result) ? (result as unknown as KubeObject) : object;
  } catch (error) {
    // What others left too little for is not to blame for that, and tried again.
    if (!isSpent(budget)) patience.note(error instanceof LimitError);
    // A path into what this object does not have points at nothing.
    if (error instanceof TemplateError) return object;
    throw error;
  }
}
