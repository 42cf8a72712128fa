import { TemplateError } from '../template-error.ts';
import { evaluateAssign } from './evaluate-assign.ts';
import { bind, evaluateFold, readVariable } from './evaluate-binding.ts';
import { evaluateCall, withDefinition } from './evaluate-call.ts';
import { evaluateObject, evaluateText } from './evaluate-construction.ts';
import { evaluateIndex, evaluateSlice, iterate, recurse } from './evaluate-path.ts';
import { formatText } from './formats.ts';
import type { JqNode } from './node.ts';
import { calculate } from './operators.ts';
import { collect, made, plainItem } from './scope.ts';
import type { Item, Items, Scope } from './scope.ts';
import { describe, isTruthy, JqError } from './values.ts';
import { spendWhole } from './weights.ts';

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
    case 'format': {
      spendWhole(input.value, scope.budget);
      const text = formatText(node.name, input.value);
      scope.budget.make(text.length);
      return yield made(input, text);
    }
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
