import type { Compiler } from './compiler.ts';
import { expectArray, expectBoolean } from './expect.ts';
import type { Clause, Node } from './node.ts';
import { Scope } from './scope.ts';
import { Frame, JsonnetArray } from './value.ts';
import type { Evaluator, Slot } from './value.ts';

/** Goes through all combinations that the clauses let through. */
interface Walk {
  /** What the item sees. */
  readonly scope: Scope;
  readonly each: (frame: Frame, visit: (frame: Frame) => void) => void;
}

type Step = { readonly kind: 'for'; readonly list: Evaluator } | { readonly kind: 'if'; readonly condition: Evaluator };

export function compileClauses(compiler: Compiler, clauses: readonly Clause[], outer: Scope): Walk {
  const { runtime } = compiler;
  let scope = outer;
  const steps: Step[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'if') steps.push({ kind: 'if', condition: compiler.evaluator(clause.condition, scope) });
    else {
      steps.push({ kind: 'for', list: compiler.evaluator(clause.list, scope) });
      scope = new Scope([clause.name], scope);
    }
  }

  function walk(at: number, frame: Frame, visit: (frame: Frame) => void): void {
    const step = steps[at];
    if (step === undefined) return visit(frame);
    runtime.step();
    if (step.kind === 'if') {
      if (expectBoolean(runtime, step.condition(frame))) walk(at + 1, frame, visit);
      return;
    }
    for (const slot of expectArray(runtime, step.list(frame)).slots) walk(at + 1, new Frame([slot], frame), visit);
  }

  return { scope, each: (frame, visit) => walk(0, frame, visit) };
}

export function compileArrayComprehension(
  compiler: Compiler,
  { item, clauses, offset }: Extract<Node, { kind: 'arrayComprehension' }>,
  outer: Scope,
): Evaluator {
  const { runtime } = compiler;
  const { scope, each } = compileClauses(compiler, clauses, outer);
  const element = compiler.delayed(item, scope);
  const place = compiler.place(offset);
  return (frame) => {
    const slots: Slot[] = [];
    runtime.place = place;
    each(frame, (inner) => {
      runtime.makeList(slots.length + 1, 1);
      slots.push(element(inner));
    });
    return new JsonnetArray(slots);
  };
}
