import { arrange, enterFunction } from './call.ts';
import { checkProgram } from './check-program.ts';
import { compileProgram } from './compile.ts';
import type { Source } from './jsonnet-error.ts';
import { manifestJson, printedLayout } from './manifest-json.ts';
import { parse } from './parse.ts';
import { defaultJsonnetLimits, Runtime } from './runtime.ts';
import type { JsonnetLimits } from './runtime.ts';
import { Scope } from './scope.ts';
import { createStandardLibrary } from './std/standard-library.ts';
import { delay, force, Frame, JsonnetArray, JsonnetFunction } from './value.ts';
import type { Slot, Thunk, Value } from './value.ts';

/** A value given from outside: a text, or a program of its own. */
export interface JsonnetArgument {
  readonly name: string;
  readonly value: string;
  readonly isCode: boolean;
}

/** A file that an import names. */
export interface ImportedFile {
  /** What it is called: the same name is the same file, and what it imports is looked for from there. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface JsonnetProgram {
  readonly name: string;
  readonly text: string;
  readonly externalVariables?: readonly JsonnetArgument[];
  /** What the program is called with, if it is a function. */
  readonly topLevelArguments?: readonly JsonnetArgument[];
  /**
   * Finds what a file imports: `from` is the name of the file, empty for code given from outside. Throws where there is nothing;
   * the message is told as the program's failure.
   */
  readonly resolveImport?: (from: string, path: string) => ImportedFile;
  readonly limits?: Partial<JsonnetLimits>;
}

/** What a program evaluates to, as JSON on many lines. Throws a JsonnetError, or a LimitError where it takes too much. */
export function evaluateJsonnet(program: JsonnetProgram): string {
  const limits = { ...defaultJsonnetLimits, ...program.limits };
  const runtime = new Runtime(limits);
  try {
    return `${manifestJson(runtime, run(runtime, program), printedLayout)}\n`;
  } catch (error) {
    // The machine's own limits come last: its stack, and the longest text that it can hold.
    throw error instanceof RangeError ? runtime.stackExceeded() : error;
  }
}

function run(runtime: Runtime, program: JsonnetProgram): Value {
  const { externalVariables = [], topLevelArguments = [] } = program;
  const variables = new Map<string, Slot>();
  const standardLibrary = createStandardLibrary(runtime, variables);
  const files = new Map<string, ImportedFile>();
  const evaluated = new Map<string, Thunk>();

  function find(from: string, path: string): ImportedFile {
    const { resolveImport } = program;
    if (resolveImport === undefined) throw runtime.fail(`import not available ${path}`);
    let found: ImportedFile;
    try {
      found = resolveImport(from, path);
    } catch (error) {
      throw runtime.fail(error instanceof Error ? error.message : String(error));
    }
    const known = files.get(found.name) ?? found;
    files.set(known.name, known);
    return known;
  }

  function importFile(form: 'code' | 'text' | 'bytes', from: Source, path: string): Value {
    const file = find(from.path, path);
    runtime.makeText(file.bytes.length);
    if (form === 'bytes') return new JsonnetArray([...file.bytes]);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
    if (form === 'text') return text;
    let thunk = evaluated.get(file.name);
    if (thunk === undefined) {
      thunk = delay(runtime, () => evaluateCode(file.name, text));
      evaluated.set(file.name, thunk);
    }
    return thunk.force();
  }

  function evaluateCode(path: string, text: string, name = path): Value {
    const source = { name, path, text };
    const scope = new Scope(['std'], undefined);
    const node = parse(source);
    checkProgram(node, scope, source);
    const evaluate = compileProgram(node, scope, { runtime, source, import: importFile });
    return evaluate(new Frame([standardLibrary(path)], undefined));
  }

  function slotOf(kind: string, { name, value, isCode }: JsonnetArgument): Slot {
    return isCode ? delay(runtime, () => evaluateCode('', value, `<${kind}:${name}>`)) : value;
  }

  for (const variable of externalVariables) variables.set(variable.name, slotOf('extvar', variable));
  const value = evaluateCode(program.name, program.text);
  if (!(value instanceof JsonnetFunction)) return value;
  const given = new Map(topLevelArguments.map((argument) => [argument.name, slotOf('top-level-arg', argument)]));
  runtime.place = undefined;
  return force(enterFunction(runtime, value, arrange(runtime, value, [], [...given])));
}
