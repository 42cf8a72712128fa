import type { Place, Source } from './jsonnet-error.ts';
import type { Assertion, Binding, Node } from './node.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';
import type { Evaluator, Frame, Outcome, Slot, Value } from './value.ts';

/** What all pieces of one file share. */
export interface Unit {
  readonly runtime: Runtime;
  readonly source: Source;
  import(form: 'code' | 'text' | 'bytes', from: Source, path: string): Value;
}

export type Delayed = (frame: Frame) => Slot;

/** What the parts of the compiler use of each other. */
export interface Compiler extends Unit {
  place(offset: number): Place;
  evaluator(node: Node, scope: Scope): Evaluator;
  /** The body of a function, which may end in a call. */
  body(node: Node, scope: Scope): (frame: Frame) => Outcome;
  delayed(node: Node, scope: Scope): Delayed;
  /** Appends the values of names to a frame. */
  bindings(bindings: readonly Binding[], scope: Scope): (frame: Frame) => void;
  /** Fails where the assertion does not hold: with its message, or the standard one. */
  assertion(assertion: Assertion, scope: Scope, standard: string): (frame: Frame) => void;
}
