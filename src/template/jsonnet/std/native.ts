import type { Runtime } from '../runtime.ts';
import { force, JsonnetFunction } from '../value.ts';
import type { Slot, Value } from '../value.ts';

/** A function that the language brings along, before it is part of a running program. */
export interface Native {
  readonly name: string;
  make(runtime: Runtime): JsonnetFunction;
}

/** A function of values: all that is given is evaluated first. An optional parameter, `name?`, is undefined where it is not given. */
export function native(name: string, parameters: string, work: (runtime: Runtime, ...values: Value[]) => Value): Native {
  return lazyNative(name, parameters, (runtime, ...slots) => {
    const values = slots.map((slot) => (slot === undefined ? undefined : force(slot)));
    return work(runtime, ...(values as Value[]));
  });
}

/** A function that decides by itself what it looks at. */
export function lazyNative(name: string, parameters: string, work: (runtime: Runtime, ...slots: (Slot | undefined)[]) => Value): Native {
  const described = parameters.split(', ').map((parameter) => ({
    name: parameter.replace('?', ''),
    isOptional: parameter.endsWith('?'),
  }));
  return { name, make: (runtime) => new JsonnetFunction(described, (slots) => work(runtime, ...slots), true) };
}
