import { createBudget } from '../budget.ts';
import type { Budget, BudgetOptions } from '../budget.ts';
import { toWellFormed } from '../go/bytes.ts';
import type { GoAny, GoFunction } from '../go/value.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { createBuiltins } from './builtins.ts';
import { execute } from './execute.ts';
import { parseTemplate } from './parse.ts';
import type { MissingKey } from './state.ts';

/** The functions of a template, made for one run, so that they count against what the run may spend. */
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

const KNOWN_BUILTINS = createBuiltins(createBudget());
const MISSING_KEYS: Readonly<Record<string, MissingKey>> = { default: 'invalid', invalid: 'invalid', zero: 'zero', error: 'error' };

/** Reads a template once, to be rendered often. Throws a TemplateError where Go's own parser refuses the text. */
export function compileGoTemplate(text: string, options: GoTemplateOptions = {}): GoTemplate {
  const { name = 'base', functions } = options;
  const missingKey = readMissingKey(options.options ?? []);
  const known = functions?.(createBudget()) ?? new Map<string, GoFunction>();
  const trees = withinStack(() => parseTemplate(name, text, (wanted) => known.has(wanted) || KNOWN_BUILTINS.has(wanted)));
  return {
    render(data) {
      const budget = createBudget(options);
      const run = {
        name,
        text,
        trees,
        missingKey,
        budget,
        functions: functions?.(budget) ?? known,
        builtins: createBuiltins(budget),
        output: [] as string[],
      };
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
