import type { Frame } from './frame.ts';
import { call } from './operations.ts';
import type { LuaState } from './state.ts';
import type { LuaValue } from './value.ts';

/** A call that takes the place of the function it is the last thing of. */
export class TailCall {
  readonly target: LuaValue;
  readonly args: readonly LuaValue[];
  readonly #state: LuaState;

  constructor(state: LuaState, target: LuaValue, args: readonly LuaValue[]) {
    this.#state = state;
    this.target = target;
    this.args = args;
  }

  perform(): readonly LuaValue[] {
    return call(this.#state, this.target, this.args);
  }
}

/** On its way to a label in a block around. */
export class Jump {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

export const BREAK = Symbol('break');

/** How a statement ends when it is not simply followed by the next; a list is what the function returns. */
export type Signal = undefined | readonly LuaValue[] | TailCall | Jump | typeof BREAK;

/** What a statement does. */
export type Execute = (frame: Frame) => Signal;
