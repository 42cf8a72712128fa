import { TemplateError } from '../template-error.ts';
import type { Definition, JqNode } from './node.ts';
import { plainItem } from './scope.ts';
import type { Closure, Item, Items, Scope } from './scope.ts';

export function withDefinition(scope: Scope, definition: Definition): Scope {
  const inner: Scope = { ...scope, functions: new Map([...scope.functions, [nameOf(definition), { definition, scope: () => inner }]]) };
  return inner;
}

export function nameOf({ name, parameters }: Definition): string {
  return `${name}/${parameters.length}`;
}

export function* evaluateCall(name: string, args: readonly JqNode[], scope: Scope, input: Item): Items {
  const key = `${name}/${args.length}`;
  const closure = scope.functions.get(key) ?? scope.library.get(key);
  if (closure === undefined) {
    const native = scope.natives.get(key);
    if (native === undefined) throw new TemplateError(`function not defined: ${key}`);
    return yield* native(args, scope, input);
  }
  yield* callWith(closure, 0, closure.scope(), { args, scope, input });
}

/** Arguments are queries that see where they were written; `$name` is bound to each of their values. */
function* callWith(closure: Closure, at: number, inner: Scope, call: { args: readonly JqNode[]; scope: Scope; input: Item }): Items {
  const { parameters, body } = closure.definition;
  const [parameter, arg] = [parameters[at], call.args[at]];
  if (parameter === undefined || arg === undefined) return yield* inner.evaluate(body, inner, call.input);
  if (!parameter.startsWith('$')) {
    const definition: Definition = { name: parameter, parameters: [], body: arg };
    const own: Scope = { ...inner, functions: new Map([...inner.functions, [`${parameter}/0`, { definition, scope: () => call.scope }]]) };
    return yield* callWith(closure, at + 1, own, call);
  }
  for (const { value } of call.scope.evaluate(arg, call.scope, plainItem(call.input))) {
    const definition: Definition = { name: parameter.slice(1), parameters: [], body: { type: 'literal', value } };
    const own: Scope = {
      ...inner,
      variables: new Map([...inner.variables, [parameter, value]]),
      functions: new Map([...inner.functions, [`${parameter.slice(1)}/0`, { definition, scope: () => call.scope }]]),
    };
    yield* callWith(closure, at + 1, own, call);
  }
}
