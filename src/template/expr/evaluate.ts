import { isJsonArray, isJsonObject, jsonEquals, type JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from '../template-error.ts';
import { applyOperator, requireBoolean, requireNumber, requireText } from './operators.ts';
import { FUNCTIONS, PREDICATES } from './functions.ts';
import type { ExprNode } from './node.ts';

export interface Scope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** What `#` is; undefined outside of predicates. */
  readonly element: JsonValue | undefined;
  readonly budget: Budget;
}

export function evaluate(node: ExprNode, scope: Scope): JsonValue {
  scope.budget.step();
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'name':
      return readName(node.name, scope);
    case 'element':
      return requireElement(scope);
    case 'list':
      return node.items.map((item) => evaluate(item, scope));
    case 'map':
      return Object.fromEntries(node.entries.map(([key, value]) => [requireText(evaluate(key, scope)), evaluate(value, scope)]));
    case 'member':
      return readMember(node, scope);
    case 'slice':
      return readSlice(node, scope);
    case 'unary':
      return applyUnary(node.operator, evaluate(node.operand, scope));
    case 'binary':
      return evaluateBinary(node, scope);
    case 'choice':
      return evaluate(requireBoolean(evaluate(node.condition, scope)) ? node.chosen : node.otherwise, scope);
    case 'call':
      return call(node, scope);
    case 'predicate':
      throw new TemplateError('braces belong to functions that look at each element');
  }
}

function readName(name: string, { variables }: Scope): JsonValue {
  const value = variables.get(name);
  if (value === undefined) throw new TemplateError(`unknown name ${name}`);
  return value;
}

function requireElement({ element }: Scope): JsonValue {
  if (element === undefined) throw new TemplateError('# belongs to functions that look at each element');
  return element;
}

function readMember(node: ExprNode & { readonly kind: 'member' }, scope: Scope): JsonValue {
  const of = evaluate(node.of, scope);
  if (of === null && node.optional) return null;
  const key = evaluate(node.key, scope);
  if (isJsonArray(of)) {
    const index = requireNumber(key);
    const item = of[index < 0 ? of.length + index : index];
    if (item === undefined) throw new TemplateError(`index ${index} is out of range`);
    return item;
  }
  if (!isJsonObject(of)) throw new TemplateError(`cannot fetch a member of ${of === null ? '<nil>' : typeof of}`);
  const name = requireText(key);
  // A key that a map lacks is nothing.
  return Object.hasOwn(of, name) ? (of[name] ?? null) : null;
}

function readSlice(node: ExprNode & { readonly kind: 'slice' }, scope: Scope): JsonValue {
  const of = evaluate(node.of, scope);
  const from = node.from === undefined ? 0 : requireNumber(evaluate(node.from, scope));
  const to = node.to === undefined ? undefined : requireNumber(evaluate(node.to, scope));
  if (typeof of === 'string' || isJsonArray(of)) return of.slice(from, to);
  throw new TemplateError('only texts and lists have parts');
}

function applyUnary(operator: string, operand: JsonValue): JsonValue {
  if (operator === '-') return -requireNumber(operand);
  return operator === '+' ? requireNumber(operand) : !requireBoolean(operand);
}

function evaluateBinary({ operator, left, right }: ExprNode & { readonly kind: 'binary' }, scope: Scope): JsonValue {
  const own = evaluate(left, scope);
  switch (operator) {
    case '&&':
    case 'and':
      return requireBoolean(own) && requireBoolean(evaluate(right, scope));
    case '||':
    case 'or':
      return requireBoolean(own) || requireBoolean(evaluate(right, scope));
    case '??':
      return own ?? evaluate(right, scope);
    case '==':
      return jsonEquals(own, evaluate(right, scope));
    case '!=':
      return !jsonEquals(own, evaluate(right, scope));
    default:
      return applyOperator(operator, own, evaluate(right, scope), scope.budget);
  }
}

function call({ name, args }: ExprNode & { readonly kind: 'call' }, scope: Scope): JsonValue {
  const predicate = PREDICATES.get(name);
  if (predicate !== undefined) {
    const [of, body] = args;
    if (of === undefined) throw new TemplateError(`${name} needs a list`);
    const list = evaluate(of, scope);
    if (!isJsonArray(list)) throw new TemplateError(`${name} needs a list`);
    const test = body?.kind === 'predicate' ? body.body : body;
    const evaluateFor = (element: JsonValue): JsonValue => (test === undefined ? true : evaluate(test, { ...scope, element }));
    return predicate(list, evaluateFor);
  }
  const own = FUNCTIONS.get(name);
  if (own === undefined) throw new TemplateError(`unknown function ${name}`);
  const values = args.map((arg) => evaluate(arg, scope));
  return own(values, scope.budget);
}
