import { ApiError, Code } from '../../../base/index.ts';
import { compilePattern, TemplateError } from '../../../template/index.ts';

/** Whether a text has a match of a regular expression anywhere; `name` is that of the field, for the failure. */
export function compileFilter(name: string, pattern: string): (text: string) => boolean {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ApiError(Code.InvalidArgument, `error compiling ${name} regexp ${JSON.stringify(pattern)}: ${error.message}`);
  }
}
