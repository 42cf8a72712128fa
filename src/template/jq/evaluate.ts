import type { JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from '../template-error.ts';
import { formatText } from './formats.ts';
import type { Definition, JqNode, Pattern } from './node.ts';
import { calculate } from './operators.ts';
import { deletePaths, describe, entriesOf, fromFields, isTruthy, JqError, stepInto, toStep, updatePath } from './values.ts';
import type { JqStep } from './values.ts';

/** A value on its way. `path` is undefined where nobody asks for it, and null where what was made is at no path. */
export interface Item {
  readonly value: JsonValue;
  readonly path: readonly JqStep[] | null | undefined;
}

export type Items = Generator<Item, void, undefined>;

export interface Scope {
  readonly budget: Budget;
  readonly natives: ReadonlyMap<string, Native>;
  /** Functions that are written in the language and always there. */
  readonly library: ReadonlyMap<string, Closure>;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly functions: ReadonlyMap<string, Closure>;
  readonly labels: ReadonlyMap<string, object>;
}

export interface Closure {
  readonly definition: Definition;
  /** Where the definition stands; it sees itself. */
  readonly scope: () => Scope;
}

/** A function of the language that is written in ours. */
export type Native = (args: readonly JqNode[], scope: Scope, input: Item) => Items;

class BreakSignal extends Error {
  readonly label: object;

  constructor(label: object) {
    super('break');
    this.label = label;
  }
}

export function* evaluate(node: JqNode, scope: Scope, input: Item): Items {
  scope.budget.step();
  switch (node.type) {
    case 'identity':
      return yield input;
    case 'recurse':
      return yield* recurse(scope, input);
    case 'literal':
      return yield made(input, node.value);
    case 'index':
      return yield* evaluateIndex(node, scope, input);
    case 'slice':
      return yield* evaluateSlice(node, scope, input);
    case 'iterate':
      for (const target of evaluate(node.target, scope, input)) yield* iterate(scope, target);
      return;
    case 'optional':
      return yield* evaluateTry(node.target, undefined, scope, input);
    case 'try':
      return yield* evaluateTry(node.body, node.handler, scope, input);
    case 'pipe':
      for (const left of evaluate(node.left, scope, input)) yield* evaluate(node.right, scope, left);
      return;
    case 'comma':
      yield* evaluate(node.left, scope, input);
      return yield* evaluate(node.right, scope, input);
    case 'alternative':
      return yield* evaluateAlternative(node, scope, input);
    case 'and':
    case 'or':
      for (const { value } of evaluate(node.left, scope, plainItem(input))) {
        if (isTruthy(value) === (node.type === 'or')) yield made(input, node.type === 'or');
        else for (const right of evaluate(node.right, scope, plainItem(input))) yield made(input, isTruthy(right.value));
      }
      return;
    case 'if':
      for (const { value } of evaluate(node.condition, scope, plainItem(input)))
        yield* evaluate(isTruthy(value) ? node.body : node.otherwise, scope, input);
      return;
    case 'binary':
      for (const right of evaluate(node.right, scope, plainItem(input)))
        for (const left of evaluate(node.left, scope, plainItem(input)))
          yield made(input, calculate(node.operator, left.value, right.value, scope.budget));
      return;
    default:
      return yield* evaluateMore(node, scope, input);
  }
}

function* evaluateMore(node: JqNode, scope: Scope, input: Item): Items {
  switch (node.type) {
    case 'assign':
      return yield* evaluateAssign(node, scope, input);
    case 'negate':
      for (const { value } of evaluate(node.target, scope, plainItem(input))) {
        if (typeof value !== 'number') throw new JqError(`cannot negate: ${describe(value)}`);
        yield made(input, -value);
      }
      return;
    case 'array':
      return yield made(input, node.body === undefined ? [] : collect(node.body, scope, input.value));
    case 'object':
      return yield* evaluateObject(node.entries, 0, [], scope, input);
    case 'text':
      return yield* evaluateText(node, 0, '', scope, input);
    case 'format':
      return yield made(input, formatText(node.name, input.value));
    case 'variable':
      return yield made(input, readVariable(node.name, scope));
    case 'bind':
      for (const { value } of evaluate(node.source, scope, plainItem(input)))
        for (const inner of bind(node.pattern, value, scope, input)) yield* evaluate(node.body, inner, input);
      return;
    case 'reduce':
    case 'foreach':
      return yield* evaluateFold(node, scope, input);
    case 'define':
      return yield* evaluate(node.body, withDefinition(scope, node.definition), input);
    case 'label':
      return yield* evaluateLabel(node, scope, input);
    case 'break':
      throw new BreakSignal(scope.labels.get(node.name) ?? refuseLabel(node.name));
    case 'call':
      return yield* evaluateCall(node.name, node.args, scope, input);
    default:
      throw new TemplateError(`unknown part of a query: ${node.type}`);
  }
}

export function plainItem({ value }: Item): Item {
  return { value, path: undefined };
}

/** A value that was made and not found, so that it has no path. */
export function made(input: Item, value: JsonValue): Item {
  return { value, path: input.path === undefined ? undefined : null };
}

export function step(item: Item, to: JqStep, value: JsonValue): Item {
  if (item.path === undefined) return { value, path: undefined };
  if (item.path === null) throw new JqError(`invalid path against: ${describe(item.value)}`);
  return { value, path: [...item.path, to] };
}

export function collect(node: JqNode, scope: Scope, value: JsonValue): JsonValue[] {
  const values: JsonValue[] = [];
  for (const item of evaluate(node, scope, { value, path: undefined })) {
    scope.budget.make(1);
    values.push(item.value);
  }
  return values;
}

/** The paths that a query reaches. */
export function* pathsOf(node: JqNode, scope: Scope, value: JsonValue): Generator<readonly JqStep[], void, undefined> {
  for (const { path, value: found } of evaluate(node, scope, { value, path: [] })) {
    if (path === null || path === undefined) throw new JqError(`invalid path against: ${describe(found)}`);
    yield path;
  }
}

function* recurse(scope: Scope, item: Item): Items {
  scope.budget.step();
  yield item;
  if (typeof item.value !== 'object' || item.value === null) return;
  for (const [to, value] of entriesOf(item.value)) yield* recurse(scope, step(item, to, value));
}

function* iterate(scope: Scope, item: Item): Items {
  for (const [to, value] of entriesOf(item.value)) {
    scope.budget.step();
    yield step(item, to, value);
  }
}

function* evaluateIndex(node: Extract<JqNode, { type: 'index' }>, scope: Scope, input: Item): Items {
  for (const target of evaluate(node.target, scope, input)) {
    for (const { value: key } of evaluate(node.key, scope, plainItem(input))) {
      if (Array.isArray(key) && Array.isArray(target.value)) {
        yield made(input, indicesOf(target.value as JsonValue[], key as JsonValue[]));
        continue;
      }
      const to = toStep(key);
      yield step(target, to, stepInto(target.value, to));
    }
  }
}

function indicesOf(list: readonly JsonValue[], wanted: readonly JsonValue[]): JsonValue[] {
  if (wanted.length === 0) return [];
  return list.flatMap((_, at) =>
    wanted.every((item, offset) => calculate('==', item, list[at + offset] ?? null, NO_BUDGET) === true && at + offset < list.length)
      ? [at]
      : [],
  );
}

const NO_BUDGET: Budget = { step: () => undefined, make: () => undefined };

function* evaluateSlice(node: Extract<JqNode, { type: 'slice' }>, scope: Scope, input: Item): Items {
  const nothing: JqNode = { type: 'literal', value: null };
  for (const target of evaluate(node.target, scope, input))
    for (const { value: end } of evaluate(node.to ?? nothing, scope, plainItem(input)))
      for (const { value: start } of evaluate(node.from ?? nothing, scope, plainItem(input))) {
        const to = toStep(
          fromFields([
            ['start', start],
            ['end', end],
          ]),
        );
        yield step(target, to, stepInto(target.value, to));
      }
}

function* evaluateTry(body: JqNode, handler: JqNode | undefined, scope: Scope, input: Item): Items {
  const items = evaluate(body, scope, input);
  for (;;) {
    let next: IteratorResult<Item, void>;
    try {
      next = items.next();
    } catch (error) {
      // What goes wrong with the results of the body is not the body's fault, so only its own errors are caught.
      if (!(error instanceof JqError)) throw error;
      if (handler !== undefined) yield* evaluate(handler, scope, made(input, error.value));
      return;
    }
    if (next.done === true) return;
    yield next.value;
  }
}

function* evaluateAlternative(
  node: Extract<JqNode, { type: 'pipe' | 'comma' | 'alternative' | 'and' | 'or' }>,
  scope: Scope,
  input: Item,
): Items {
  let found = false;
  const items = evaluateTry(node.left, undefined, scope, input);
  for (const item of items) {
    if (!isTruthy(item.value)) continue;
    found = true;
    yield item;
  }
  if (!found) yield* evaluate(node.right, scope, input);
}

function* evaluateAssign(node: Extract<JqNode, { type: 'binary' | 'assign' }>, scope: Scope, input: Item): Items {
  const { left, right, operator } = node;
  const paths = (): (readonly JqStep[])[] => [...pathsOf(left, scope, input.value)];
  if (operator === '|=') {
    yield made(
      input,
      modify(paths(), input.value, (old) => collectFirst(right, scope, old)),
    );
    return;
  }
  for (const { value: given } of evaluate(right, scope, plainItem(input))) {
    const change = (old: JsonValue): JsonValue => {
      if (operator === '=') return given;
      if (operator === '//=') return isTruthy(old) ? old : given;
      return calculate(operator.slice(0, -1), old, given, scope.budget);
    };
    yield made(
      input,
      paths().reduce<JsonValue>((value, path) => updatePath(value, path, change), input.value),
    );
  }
}

/** Where the update gives nothing, what it was to change goes. */
function modify(paths: readonly (readonly JqStep[])[], value: JsonValue, change: (old: JsonValue) => JsonValue | undefined): JsonValue {
  const gone: (readonly JqStep[])[] = [];
  const changed = paths.reduce<JsonValue>(
    (rest, path) =>
      updatePath(rest, path, (old) => {
        const result = change(old);
        if (result === undefined) gone.push(path);
        return result ?? (result === undefined ? old : result);
      }),
    value,
  );
  return deletePaths(changed, gone);
}

function collectFirst(node: JqNode, scope: Scope, value: JsonValue): JsonValue | undefined {
  for (const item of evaluate(node, scope, { value, path: undefined })) return item.value;
  return undefined;
}

function* evaluateObject(
  entries: readonly (readonly [JqNode, JqNode])[],
  at: number,
  done: readonly (readonly [string, JsonValue])[],
  scope: Scope,
  input: Item,
): Items {
  const entry = entries[at];
  if (entry === undefined) return yield made(input, fromFields(done));
  for (const { value: key } of evaluate(entry[0], scope, plainItem(input))) {
    if (typeof key !== 'string') throw new JqError(`expected a string for object key but got: ${describe(key)}`);
    for (const { value } of evaluate(entry[1], scope, plainItem(input)))
      yield* evaluateObject(entries, at + 1, [...done, [key, value]], scope, input);
  }
}

function* evaluateText(node: Extract<JqNode, { type: 'text' }>, at: number, done: string, scope: Scope, input: Item): Items {
  const part = node.parts[at];
  if (part === undefined) return yield made(input, done);
  if (typeof part === 'string') return yield* evaluateText(node, at + 1, done + part, scope, input);
  for (const { value } of evaluate(part, scope, plainItem(input))) {
    const text = formatText(node.format, value);
    scope.budget.make(text.length);
    yield* evaluateText(node, at + 1, done + text, scope, input);
  }
}

function readVariable(name: string, scope: Scope): JsonValue {
  // The environment is nobody's business here.
  if (name === '$ENV') return {};
  const value = scope.variables.get(name);
  if (value === undefined) throw new TemplateError(`variable not defined: ${name}`);
  return value;
}

/** A scope for each way in which the value can be taken apart. */
function* bind(pattern: Pattern, value: JsonValue, scope: Scope, input: Item): Generator<Scope, void, undefined> {
  if (pattern.type === 'name') {
    yield { ...scope, variables: new Map([...scope.variables, [pattern.name, value]]) };
  } else if (pattern.type === 'list') {
    let scopes: Scope[] = [scope];
    for (const [at, item] of pattern.items.entries())
      scopes = scopes.flatMap((inner) => [...bind(item, stepInto(value, at), inner, input)]);
    yield* scopes;
  } else {
    let scopes: Scope[] = [scope];
    for (const { key, name, pattern: inside } of pattern.fields) {
      scopes = scopes.flatMap((inner) =>
        collect(key, inner, input.value).flatMap((field) => {
          const found = stepInto(value, toStep(field));
          const named = name === undefined ? inner : { ...inner, variables: new Map([...inner.variables, [name, found]]) };
          return inside === undefined ? [named] : [...bind(inside, found, named, input)];
        }),
      );
    }
    yield* scopes;
  }
}

function* evaluateFold(node: Extract<JqNode, { type: 'reduce' | 'foreach' }>, scope: Scope, input: Item): Items {
  for (const start of evaluate(node.start, scope, input)) {
    let state: Item | undefined = start;
    for (const { value } of evaluate(node.source, scope, plainItem(input))) {
      for (const inner of bind(node.pattern, value, scope, input)) {
        if (node.type === 'reduce') {
          let last: Item | undefined;
          if (state !== undefined) for (const next of evaluate(node.update, inner, state)) last = next;
          state = last ?? made(input, null);
        } else {
          let last: Item | undefined = state;
          for (const next of evaluate(node.update, inner, state ?? made(input, null))) {
            last = next;
            yield* evaluate(node.extract, inner, next);
          }
          state = last;
        }
      }
    }
    if (node.type === 'reduce' && state !== undefined) yield state;
  }
}

function refuseLabel(name: string): never {
  throw new TemplateError(`label not defined: ${name}`);
}

function* evaluateLabel(node: Extract<JqNode, { type: 'label' }>, scope: Scope, input: Item): Items {
  const label = {};
  try {
    yield* evaluate(node.body, { ...scope, labels: new Map([...scope.labels, [node.name, label]]) }, input);
  } catch (error) {
    if (!(error instanceof BreakSignal) || error.label !== label) throw error;
  }
}

function withDefinition(scope: Scope, definition: Definition): Scope {
  const inner: Scope = { ...scope, functions: new Map([...scope.functions, [nameOf(definition), { definition, scope: () => inner }]]) };
  return inner;
}

export function nameOf({ name, parameters }: Definition): string {
  return `${name}/${parameters.length}`;
}

function* evaluateCall(name: string, args: readonly JqNode[], scope: Scope, input: Item): Items {
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
  if (parameter === undefined || arg === undefined) return yield* evaluate(body, inner, call.input);
  if (!parameter.startsWith('$')) {
    const definition: Definition = { name: parameter, parameters: [], body: arg };
    const own: Scope = { ...inner, functions: new Map([...inner.functions, [`${parameter}/0`, { definition, scope: () => call.scope }]]) };
    return yield* callWith(closure, at + 1, own, call);
  }
  for (const { value } of evaluate(arg, call.scope, plainItem(call.input))) {
    const definition: Definition = { name: parameter.slice(1), parameters: [], body: { type: 'literal', value } };
    const own: Scope = {
      ...inner,
      variables: new Map([...inner.variables, [parameter, value]]),
      functions: new Map([...inner.functions, [`${parameter.slice(1)}/0`, { definition, scope: () => call.scope }]]),
    };
    yield* callWith(closure, at + 1, own, call);
  }
}
