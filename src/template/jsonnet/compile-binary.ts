import type { Compiler } from './compiler.ts';
import { expectBoolean } from './expect.ts';
import type { Place } from './jsonnet-error.ts';
import type { Node } from './node.ts';
import { binaryOperators } from './operators.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';
import { remainder } from './std/format.ts';
import type { Evaluator, Frame, Value } from './value.ts';

type BinaryNode = Extract<Node, { kind: 'binary' }>;

/** One operator of a chain: takes what is left of it, and what is right of it when it needs that. */
type Step = (left: Value, frame: Frame) => Value;

/** A chain such as `a + b + c` is gone through from its left end, so that its length does not become depth. */
export function compileBinary(compiler: Compiler, root: BinaryNode, scope: Scope): Evaluator {
  const steps: Step[] = [];
  let first: Node = root;
  while (first.kind === 'binary') {
    steps.push(compileStep(compiler, first, scope));
    first = first.left;
  }
  steps.reverse();
  const start = compiler.evaluator(first, scope);
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return (frame) => only(start(frame), frame);
  return (frame) => {
    let value = start(frame);
    for (const step of steps) value = step(value, frame);
    return value;
  };
}

function compileStep(compiler: Compiler, node: BinaryNode, scope: Scope): Step {
  const { runtime } = compiler;
  const { operator } = node;
  const right = compiler.evaluator(node.right, scope);
  const place = compiler.place(node.offset);
  if (operator === '&&' || operator === '||') {
    const decided = operator === '||';
    return (left, frame) => (truth(runtime, left, place) === decided ? decided : truth(runtime, right(frame), place));
  }
  const work = operator === '%' ? remainder : binaryOperators.get(operator);
  if (work === undefined) throw new Error(`no operator ${operator}`);
  return (left, frame) => {
    const other = right(frame);
    runtime.place = place;
    return work(runtime, left, other);
  };
}

function truth(runtime: Runtime, value: Value, place: Place): boolean {
  runtime.place = place;
  return expectBoolean(runtime, value);
}
