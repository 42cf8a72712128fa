import type { JsonValue } from '../../objects/index.ts';
import { createBudget } from '../budget.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { compileClosure, makeClosure } from './compile-function.ts';
import { fromLua, toLua } from './convert.ts';
import { openLibraries } from './open-libraries.ts';
import { display } from './operations.ts';
import { parseChunk } from './parse-chunk.ts';
import { LuaState } from './state.ts';
import { fromLuaText, LuaError, toLuaText, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

export interface LuaOptions {
  /** All libraries that there are, and not only those that every script has. */
  readonly areAllLibrariesOpen?: boolean;
  readonly stepsMax?: number;
  /** What a run may make in all, in bytes, as far as texts and tables go. */
  readonly memoryBytesMax?: number;
}

export interface LuaRun {
  /** Values under the names by which the script knows them. */
  readonly globals: Readonly<Record<string, JsonValue>>;
  readonly nowMs: () => number;
}

/** What a script came to. */
export interface LuaResult {
  /** Each value that it returned, by its type and its text. */
  readonly values: readonly { readonly type: string; readonly text: string }[];
  /** The last of them; null for nil. Throws a TemplateError for what no JSON can hold. */
  toJson(): JsonValue;
}

export interface LuaScript {
  /** Runs the script with globals of its own. Throws a TemplateError for an error of the script, and a LimitError, which is one, for going too far. */
  run(run: LuaRun): LuaResult;
}

/** Well within a second. */
const STEPS_MAX = 2_000_000;
const MEMORY_BYTES_MAX = 32 << 20;
const SOURCE_CHARACTERS_MAX = 512 << 10;

/** Reads a script in Lua 5.1, as gopher-lua speaks it. Throws a TemplateError where it is none. */
export function compileLua(text: string, options: LuaOptions = {}): LuaScript {
  if (text.length > SOURCE_CHARACTERS_MAX) throw new LimitError(`more than ${SOURCE_CHARACTERS_MAX} characters of Lua`);
  const { areAllLibrariesOpen: areAllOpen = false, stepsMax = STEPS_MAX, memoryBytesMax = MEMORY_BYTES_MAX } = options;
  const chunk = compileClosure(withinStack(() => parseChunk(toLuaText(text))));
  return {
    run: ({ globals, nowMs }) =>
      withinStack(() => {
        const state = new LuaState(createBudget({ stepsMax, outputCharactersMax: memoryBytesMax }), makeClosure);
        openLibraries(state, { areAllOpen, nowMs });
        for (const [name, value] of Object.entries(globals)) state.globals.set(toLuaText(name), toLua(state, value));
        const values = withTexts(state, () => chunk(state, [], state.globals).call([]));
        return describeResult(state, values);
      }),
  };
}

function describeResult(state: LuaState, values: readonly LuaValue[]): LuaResult {
  return {
    values: values.map((value) => ({ type: typeName(value), text: fromLuaText(display(state, value)) })),
    toJson: () => withinStack(() => fromLua(state, values.at(-1))),
  };
}

/** What a script throws, as an error with a text. */
function withTexts<Result>(state: LuaState, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    throw new TemplateError(fromLuaText(display(state, error.value)));
  }
}

function withinStack<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new LimitError('the script goes too deep');
    throw error;
  }
}
