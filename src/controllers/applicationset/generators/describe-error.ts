import { ApiError, Code } from '../../../base/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import { TemplateError } from '../../../template/index.ts';

/** What may be told to whoever wrote an application set; undefined for what is a mistake of ours. */
export function describeError(error: unknown): string | undefined {
  if (error instanceof ApiError || error instanceof TemplateError || isStatusError(error)) return error.message;
  return undefined;
}

/** Puts words before those of a failure in between. What is a mistake of ours goes on as it is. */
export async function withPrefix<Result>(prefix: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const text = describeError(error);
    if (text === undefined) throw error;
    throw new ApiError(error instanceof ApiError ? error.code : Code.Unknown, `${prefix}${text}`, { cause: error });
  }
}
