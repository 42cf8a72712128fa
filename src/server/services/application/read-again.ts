import { ApiError, Code } from '../../../base/index.ts';
import { applicationType, readApplication, type Application } from '../../../model/index.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

/**
 * An application after somebody else wrote to it. What the caller may do was decided for the one that was there and for its project: where
 * it is another now, or in another, this throws Aborted.
 */
export async function readAgain(
  { home, namespace }: ApplicationServiceOptions,
  { metadata, spec }: Application,
  signal: AbortSignal,
): Promise<Application> {
  const ref = { namespace: metadata.namespace ?? namespace, name: metadata.name ?? '' };
  const current = readApplication(await withHomeErrors(() => home.get(applicationType, ref, { signal })));
  const isSame = current.metadata.uid === metadata.uid && (current.spec.project || 'default') === (spec.project || 'default');
  if (!isSame) throw new ApiError(Code.Aborted, 'the application was moved or made anew meanwhile, please try again');
  return current;
}
