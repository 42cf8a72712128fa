import type { Runtime } from './runtime.ts';
import { TailCall } from './value.ts';
import type { JsonnetFunction, Slot, Value } from './value.ts';

/** Calls a function with a slot for each parameter, and goes on while calls take each other's place. */
export function enterFunction(runtime: Runtime, target: JsonnetFunction, slots: (Slot | undefined)[], isStrict = false): Value {
  if (!target.isNative) runtime.enter();
  let outcome = target.enter(slots, isStrict);
  while (outcome instanceof TailCall) {
    runtime.step();
    outcome = outcome.target.enter(outcome.slots, true);
  }
  if (!target.isNative) runtime.leave();
  else runtime.step();
  return outcome;
}

/** Calls a function as native functions do: with arguments in their order. */
export function callFunction(runtime: Runtime, target: JsonnetFunction, ...given: Slot[]): Value {
  return enterFunction(runtime, target, arrange(runtime, target, given, []));
}

/** Puts arguments in the order of the parameters; undefined stands for an optional one that is not given. */
export function arrange(
  runtime: Runtime,
  { parameters }: JsonnetFunction,
  positional: readonly Slot[],
  named: readonly (readonly [string, Slot])[],
): (Slot | undefined)[] {
  if (positional.length > parameters.length)
    throw runtime.fail(`function expected ${parameters.length} positional argument(s), but got ${positional.length}`);
  const slots: (Slot | undefined)[] = [...positional];
  const given = new Set<string>();
  for (const [name, slot] of named) {
    const at = parameters.findIndex((parameter) => parameter.name === name);
    if (at < 0) throw runtime.fail(`function has no parameter ${name}`);
    if (at < positional.length || given.has(name)) throw runtime.fail(`Argument ${name} already provided`);
    given.add(name);
    slots[at] = slot;
  }
  for (let at = positional.length; at < parameters.length; at += 1) {
    const parameter = parameters[at];
    if (slots[at] !== undefined || parameter === undefined) continue;
    if (!parameter.isOptional) throw runtime.fail(`Missing argument: ${parameter.name}`);
    slots[at] = undefined;
  }
  return slots;
}
