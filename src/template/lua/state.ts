import type { Budget } from '../budget.ts';
import type { Frame } from './frame.ts';
import type { FunctionNode } from './node.ts';
import { LuaTable } from './table.ts';
import { LuaError } from './value.ts';
import type { LuaFunction, LuaValue } from './value.ts';

/** How many functions may be in each other's calls, as in the original. */
const CALL_DEPTH_MAX = 220;

/** Errors take longer than anything else, in steps. */
export const ERROR_COST = 20;

/** Makes a function that knows the variables of the frame that it is made in. */
type MakeClosure = (node: FunctionNode, frame: Frame) => LuaFunction;

/** One run of a script: its globals, what it may still spend, and where it is. */
export class LuaState {
  readonly budget: Budget;
  readonly globals: LuaTable;
  /** Functions that scripts are given but cannot name. */
  readonly hidden: LuaTable;
  readonly makeClosure: MakeClosure;
  /** What all texts have for a metatable; undefined where the script has no functions for texts. */
  textMetatable: LuaTable | undefined;
  /** The line that is being carried out. */
  line = 0;
  /** The lines from which the functions that are running were called, the last one last. */
  readonly #callLines: number[] = [];
  readonly #addresses = new WeakMap<LuaTable | LuaFunction, number>();
  #addressCount = 0;

  constructor(budget: Budget, makeClosure: MakeClosure) {
    this.makeClosure = makeClosure;
    this.budget = budget;
    this.globals = new LuaTable(budget);
    this.hidden = new LuaTable(budget);
  }

  table(): LuaTable {
    this.budget.make(64);
    return new LuaTable(this.budget);
  }

  /** Goes into a function; `leave` must follow. */
  enter(): void {
    if (this.#callLines.length >= CALL_DEPTH_MAX) throw this.fault('stack overflow');
    this.#callLines.push(this.line);
  }

  leave(): void {
    this.line = this.#callLines.pop() ?? 0;
  }

  get depth(): number {
    return this.#callLines.length;
  }

  /** Back to how deep it was, after an error. */
  unwind(depth: number): void {
    while (this.#callLines.length > depth) this.leave();
  }

  /** Where the code is that called the running function, for level 1 of `error`, or the caller of that for 2. Empty for no place. */
  position(level = 1): string {
    if (level <= 0) return '';
    const line = level === 1 ? this.line : this.#callLines.at(1 - level);
    return line === undefined || line === 0 ? '' : `<string>:${line}: `;
  }

  /** An error with the place where it happens. */
  fault(message: string): LuaError {
    this.budget.step(ERROR_COST);
    return new LuaError(this.position() + message);
  }

  metatableOf(value: LuaValue): LuaTable | undefined {
    if (value instanceof LuaTable) return value.metatable;
    return typeof value === 'string' ? this.textMetatable : undefined;
  }

  metamethod(value: LuaValue, name: string): LuaValue {
    return this.metatableOf(value)?.get(name);
  }

  /** What tells one table or function from another in a text. */
  addressOf(value: LuaTable | LuaFunction): string {
    const known = this.#addresses.get(value) ?? (this.#addressCount += 1);
    this.#addresses.set(value, known);
    return `0x${(0xc000000000 + known * 64).toString(16)}`;
  }
}
