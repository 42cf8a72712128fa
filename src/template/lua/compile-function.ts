import { compileBlock } from './compile-statement.ts';
import { TailCall } from './signal.ts';
import type { Cell, Environment, Frame } from './frame.ts';
import type { FunctionNode } from './node.ts';
import type { LuaState } from './state.ts';
import type { LuaTable } from './table.ts';
import { LuaFunction } from './value.ts';
import type { LuaValue } from './value.ts';

/** A function of the script, with the variables around it. */
export class Closure extends LuaFunction {
  readonly environment: Environment;
  /** One round of the function: it may end with the call of another in its place. */
  readonly run: (args: readonly LuaValue[]) => readonly LuaValue[] | TailCall;

  constructor(state: LuaState, environment: Environment, run: (args: readonly LuaValue[]) => readonly LuaValue[] | TailCall) {
    super('', (args) => follow(state, run, args));
    this.environment = environment;
    this.run = run;
  }
}

type MakeClosure = (state: LuaState, captured: readonly Cell[], globals: LuaTable) => Closure;

const makers = new WeakMap<FunctionNode, MakeClosure>();

/** A function that is made while the one around it runs. */
export function makeClosure(node: FunctionNode, frame: Frame): Closure {
  frame.state.budget.make(64);
  const captured = node.captures.map((capture): Cell => {
    const cell = capture.from === 'variable' ? frame.cells[capture.variable.slot] : frame.captured[capture.index];
    return cell ?? { value: undefined };
  });
  const make = makers.get(node) ?? compileClosure(node);
  makers.set(node, make);
  return make(frame.state, captured, frame.environment.globals);
}

/** What makes closures of a function. Compiled when it is first needed: most functions of long scripts never run. */
export function compileClosure(node: FunctionNode): MakeClosure {
  const { parameters, isVariadic } = node;
  let body: ReturnType<typeof compileBlock> | undefined;
  return (state, captured, globals) => {
    const environment: Environment = { globals };
    return new Closure(state, environment, (args) => {
      body ??= compileBlock(node.body);
      const varargs = isVariadic ? args.slice(parameters.length) : [];
      const frame: Frame = { state, locals: [], cells: [], captured, varargs, environment };
      for (const [index, { slot, isCaptured }] of parameters.entries()) {
        if (isCaptured) frame.cells[slot] = { value: args[index] };
        else frame.locals[slot] = args[index];
      }
      const signal = body(frame);
      return Array.isArray(signal) || signal instanceof TailCall ? signal : [];
    });
  };
}

/** Runs a function and those that take its place, one after the other, so that a call at the end of a function costs no depth. */
function follow(state: LuaState, first: Closure['run'], args: readonly LuaValue[]): readonly LuaValue[] {
  state.enter();
  let result = first(args);
  while (result instanceof TailCall) {
    state.budget.step();
    const { target } = result;
    result = target instanceof Closure ? target.run(result.args) : result.perform();
  }
  state.leave();
  return result;
}
