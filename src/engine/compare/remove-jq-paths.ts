import { LruMap } from '../../base/index.ts';
import { isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { compileJqDeletion, LimitError, TemplateError } from '../../template/index.ts';
import { PatienceByNamespace } from '../patience.ts';
import { createStepShares, type StepShare } from './step-shares.ts';

type Deletion = ReturnType<typeof compileJqDeletion> & { readonly patience: PatienceByNamespace };

/** Rules are few and used for every object: each is read once. What cannot be read is remembered too. */
const deletions = new LruMap<string, Deletion | TemplateError>(500);

/**
 * The object without what jq expressions point at. An expression that cannot be read, or makes no sense for the object, changes nothing. One
 * that takes too long is given up for the project whose application it is, where that is known: others are not to pay for it.
 */
export function removeJqPaths(object: KubeObject, expressions: readonly string[], project?: string): KubeObject {
  if (expressions.length === 0) return object;
  // Other rules may have taken all of its metadata.
  const { metadata } = object as Partial<KubeObject>;
  const nextShare = createStepShares();
  const place = { namespace: metadata?.namespace ?? '', project };
  return expressions.reduce((result, text) => {
    const deletion = compile(text);
    return deletion instanceof TemplateError ? result : apply(deletion, result, { ...place, share: nextShare() });
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
  { namespace, project, share }: { readonly namespace: string; readonly project: string | undefined; readonly share: StepShare },
): KubeObject {
  const patience = deletion.patience.in(namespace, project);
  if (!patience.mayTry()) return object;
  try {
    const result = deletion.apply(object as unknown as JsonValue, share);
    patience.note(false);
    // All of an object cannot be taken out of it.
    return isJsonObject(result) ? (result as unknown as KubeObject) : object;
  } catch (error) {
    if (!share.wasCutShort()) patience.note(error instanceof LimitError);
    // A path into what this object does not have points at nothing.
    if (error instanceof TemplateError) return object;
    throw error;
  }
}
