import { createBudget } from '../budget.ts';
import type { Budget, BudgetOptions } from '../budget.ts';
import { toWellFormed } from '../go/bytes.ts';
import type { GoAny, GoFunction } from '../go/value.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { createBuiltins } from './builtins.ts';
import { execute } from './execute.ts';
import { parseTemplate } from './parse.ts';
import type { MissingKey } from './state.ts';

/** Makes the functions of templates; what they do counts against the budget that they are given. */
export type FunctionLibrary = (budget: Budget) => ReadonlyMap<string, GoFunction>;

export interface GoTemplateOptions extends BudgetOptions {
  /** The name that error messages give the template. */
  readonly name?: string;
  /** As to Go's `Option`: `missingkey=default`, `=invalid`, `=zero` or `=error`; of several the last counts. */
  readonly options?: readonly string[];
  readonly functions?: FunctionLibrary;
}

export interface GoTemplate {
  /** The text that the template makes of the data. Throws a TemplateError with Go's words, a LimitError past a limit. */
  render(data: GoAny): string;
}

const MISSING_KEYS: Readonly<Record<string, MissingKey>> = { default: 'invalid', invalid: 'invalid', zero: 'zero', error: 'error' };

/** Functions that are made once, and take what they spend from the budget of whichever run is under way: runs never wait, so there is one. */
interface BoundLibrary {
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly builtins: ReadonlyMap<string, GoFunction>;
  readonly spendFrom: (budget: Budget) => void;
}

const boundLibraries = new WeakMap<FunctionLibrary, BoundLibrary>();
const NO_FUNCTIONS = makeBound(() => new Map());

function bindLibrary(library: FunctionLibrary): BoundLibrary {
  const bound = boundLibraries.get(library) ?? makeBound(library);
  boundLibraries.set(library, bound);
  return bound;
}

function makeBound(library: FunctionLibrary): BoundLibrary {
  let current = createBudget();
  const budget: Budget = { step: (count) => current.step(count), make: (size) => current.make(size) };
  return {
    functions: library(budget),
    builtins: createBuiltins(budget),
    spendFrom(next) {
      current = next;
    },
  };
}

/** Reads a template once, to be rendered often. Throws a TemplateError where Go's own parser refuses the text. */
export function compileGoTemplate(text: string, options: GoTemplateOptions = {}): GoTemplate {
  const { name = 'base', functions } = options;
  const missingKey = readMissingKey(options.options ?? []);
  const library = functions === undefined ? NO_FUNCTIONS : bindLibrary(functions);
  const known = library.functions;
  const trees = withinStack(() => parseTemplate(name, text, (wanted) => known.has(wanted) || library.builtins.has(wanted)));
  return {
    render(data) {
      const budget = createBudget(options);
      const run = {
        name,
        text,
        trees,
        missingKey,
        budget,
        functions: known,
        builtins: library.builtins,
        output: [] as string[],
      };
      library.spendFrom(budget);
      withinStack(() => execute(run, data ?? undefined));
      return toWellFormed(run.output.join(''));
    },
  };
}

function readMissingKey(options: readonly string[]): MissingKey {
  let missingKey: MissingKey = 'invalid';
  for (const option of options) {
    const [key, value = ''] = option.split('=', 2);
    const chosen = key === 'missingkey' && option.includes('=') && Object.hasOwn(MISSING_KEYS, value) ? MISSING_KEYS[value] : undefined;
    if (chosen === undefined) throw new TemplateError(`unrecognized option: ${option}`);
    missingKey = chosen;
  }
  return missingKey;
}

/** Depth is bounded where it is counted; this is for what several bounds multiply to. */
function withinStack<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new LimitError(`it is too deep or too large: ${error.message}`);
    throw error;
  }
}
