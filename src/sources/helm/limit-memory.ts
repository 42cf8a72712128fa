import { findProgram } from '../process/find-program.ts';

/** What a chart may take of memory: several times what the largest ones need. */
const ADDRESS_SPACE_BYTES = 4 * 2 ** 30;

/** A program with a limit on its memory that the system itself holds, where the machine has a program that sets one. */
export function limitMemory(program: string, searchPath: string): { readonly program: string; readonly firstArgs: readonly string[] } {
  const limiter = findProgram('prlimit', undefined, searchPath);
  if (!limiter.startsWith('/')) return { program, firstArgs: [] };
  return { program: limiter, firstArgs: [`--as=${ADDRESS_SPACE_BYTES}`, '--', program] };
}
