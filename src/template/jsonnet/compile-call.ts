import { arrange, enterFunction } from './call.ts';
import type { Compiler } from './compiler.ts';
import type { CallNode, Node, Parameter } from './node.ts';
import { onFirstUse } from './on-first-use.ts';
import { Scope } from './scope.ts';
import { force, Frame, JsonnetFunction, TailCall, typeOf } from './value.ts';
import type { Evaluator, Outcome, Slot } from './value.ts';

export function compileFunction(compiler: Compiler, parameters: readonly Parameter[], body: Node, outer: Scope): Evaluator {
  const scope = new Scope(
    parameters.map(({ name }) => name),
    outer,
  );
  const run = onFirstUse(() => compiler.body(body, scope));
  const standards = parameters.map(({ standard }) => (standard === undefined ? undefined : compiler.delayed(standard, scope)));
  const hasStandards = standards.some((standard) => standard !== undefined);
  const described = parameters.map(({ name, standard }) => ({ name, isOptional: standard !== undefined }));
  return (frame) =>
    new JsonnetFunction(described, (given, isStrict) => {
      const own = new Frame(given as Slot[], frame);
      // What is given is there already, so that standards may refer to it, and to each other.
      if (hasStandards)
        for (const [at, standard] of standards.entries())
          if (own.slots[at] === undefined && standard !== undefined) own.slots[at] = standard(own);
      if (isStrict) for (const slot of own.slots) force(slot);
      return run()(own);
    });
}

export function compileCall(
  compiler: Compiler,
  node: CallNode & { readonly offset: number },
  scope: Scope,
  isTail: boolean,
): (frame: Frame) => Outcome {
  const { runtime } = compiler;
  const target = compiler.evaluator(node.target, scope);
  const positional = node.positional.map((argument) => compiler.delayed(argument, scope));
  const named = node.named.map(({ name, value }) => [name, compiler.delayed(value, scope)] as const);
  const place = compiler.place(node.offset);
  const { isStrict } = node;
  return (frame) => {
    const callee = target(frame);
    runtime.place = place;
    if (!(callee instanceof JsonnetFunction)) throw runtime.fail(`Unexpected type ${typeOf(callee)}, expected function`);
    const slots = positional.map((argument) => argument(frame));
    const arranged =
      named.length === 0 && slots.length === callee.parameters.length
        ? slots
        : arrange(
            runtime,
            callee,
            slots,
            named.map(([name, argument]) => [name, argument(frame)]),
          );
    // Arguments of a call that takes this one's place are evaluated while this one still waits.
    if (isStrict) for (const slot of arranged) if (slot !== undefined) force(slot);
    if (isStrict && isTail) return new TailCall(callee, arranged);
    return enterFunction(runtime, callee, arranged, isStrict);
  };
}
