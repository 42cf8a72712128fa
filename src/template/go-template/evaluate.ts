import { GoError } from '../go/go-function.ts';
import { Boxed, boxFor, GoInt, GoList, GoMap, GoStruct, int, isTrue, typeOf, unbox, zeroOf } from '../go/value.ts';
import type { GoFunction, GoSlot, GoValue } from '../go/value.ts';
import { weigh, weighOnce } from '../go/weigh.ts';
import { describeNode } from './node.ts';
import type { ChainNode, CommandNode, Node, NumberNode, Operand, PipeNode } from './node.ts';
import { refuseAt, setVariable, variableValue } from './state.ts';
import type { State } from './state.ts';

/** Stands for "no value was piped into this command". */
const MISSING = Symbol('missing');
type Final = GoSlot | typeof MISSING;
/** Functions that look at a list or a map and not into what it holds, or that count themselves what they look at. Each may begin with `must`. */
const LOOKS_ONCE: ReadonlySet<string> = new Set(
  [
    'index slice len not list tuple dict get set unset hasKey pluck keys values pick omit dig merge mergeOverwrite',
    'append push prepend first last rest initial reverse compact uniq without has chunk concat',
    'all any coalesce default empty ternary typeOf typeIs typeIsLike kindOf kindIs',
  ]
    .join(' ')
    .split(' '),
);
/** Functions that hand out what is in their argument, and make nothing. */
const GIVES_PART: ReadonlySet<string> = new Set(['get', 'dig', 'first', 'mustFirst', 'last', 'mustLast']);
const NIL_ABLE = /^(?:\[\]|map\[|\*|func|interface \{\}$|error$|value$)/;

/** What a pipeline comes to, after its variables have been set. */
export function evaluatePipeline(state: State, dot: GoSlot, pipe: PipeNode | undefined): GoValue | undefined {
  if (pipe === undefined) return undefined;
  state.node = pipe;
  let value: Final = MISSING;
  for (const command of pipe.commands) {
    state.run.budget.step();
    const slot: GoSlot = evaluateCommand(state, dot, command, value);
    value = slot instanceof Boxed ? (slot.value ?? undefined) : slot;
  }
  const result = value === MISSING || value instanceof Boxed ? undefined : value;
  for (const { names } of pipe.declarations) {
    const name = names[0] ?? '';
    if (pipe.isAssign) setVariable(state, name, result);
    else state.variables.push({ name, value: result });
  }
  return result;
}

function evaluateCommand(state: State, dot: GoSlot, command: CommandNode, final: Final): GoSlot {
  const { args } = command;
  const first = args[0];
  if (first === undefined) return undefined;
  switch (first.type) {
    case 'field':
      state.node = first;
      return evaluateFields(state, dot, { receiver: dot, node: first, names: first.names, args, final });
    case 'chain':
      return evaluateChain(state, dot, first, args, final);
    case 'identifier':
      return evaluateFunction(state, dot, { name: first.name, node: first, caller: command, args, final });
    case 'pipe':
      refuseArguments(state, args, final);
      return evaluatePipeline(state, dot, first);
    case 'variable':
      return evaluateVariable(state, dot, first.names, first, args, final);
    default:
  }
  state.node = first;
  refuseArguments(state, args, final);
  switch (first.type) {
    case 'bool':
    case 'string':
      return first.value;
    case 'dot':
      return dot;
    case 'nil':
      return refuseAt(state, 'nil is not a command');
    case 'number':
      return constant(state, first);
  }
}

function refuseArguments(state: State, args: readonly Operand[], final: Final): void {
  const [first] = args;
  if (first !== undefined && (args.length > 1 || final !== MISSING))
    refuseAt(state, `can't give argument to non-function ${describeNode(first)}`);
}

function constant(state: State, node: NumberNode): GoSlot {
  state.node = node;
  const isHexadecimal = /^0[xX]/.test(node.text) && !/[pP]/.test(node.text);
  if (node.float !== undefined && !isHexadecimal && !node.text.startsWith("'") && /[.eEpP]/.test(node.text)) return node.float;
  if (node.int !== undefined) return int(node.int);
  return node.uint === undefined ? undefined : refuseAt(state, `${node.text} overflows int`);
}

function evaluateVariable(
  state: State,
  dot: GoSlot,
  names: readonly string[],
  node: Operand,
  args: readonly Operand[],
  final: Final,
): GoSlot {
  state.node = node;
  const value = variableValue(state, names[0] ?? '');
  if (names.length > 1) return evaluateFields(state, dot, { receiver: value, node, names: names.slice(1), args, final });
  refuseArguments(state, args, final);
  return value;
}

function evaluateChain(state: State, dot: GoSlot, chain: ChainNode, args: readonly Operand[], final: Final): GoSlot {
  state.node = chain;
  if (chain.node.type === 'nil') refuseAt(state, `indirection through explicit nil in ${describeNode(chain)}`);
  const receiver = evaluateArgument(state, dot, undefined, chain.node);
  return evaluateFields(state, dot, { receiver, node: chain, names: chain.names, args, final });
}

interface FieldAccess {
  readonly receiver: GoSlot;
  readonly node: Operand;
  readonly names: readonly string[];
  readonly args: readonly Operand[];
  readonly final: Final;
}

function evaluateFields(state: State, dot: GoSlot, { receiver, node, names, args, final }: FieldAccess): GoSlot {
  let value = receiver;
  for (const name of names.slice(0, -1))
    value = evaluateField(state, dot, name, { receiver: value, node, names, args: [], final: MISSING });
  return evaluateField(state, dot, names.at(-1) ?? '', { receiver: value, node, names, args, final });
}

function evaluateField(state: State, dot: GoSlot, name: string, { receiver, node, args, final }: FieldAccess): GoSlot {
  if (receiver === undefined) {
    if (state.run.missingKey === 'error') refuseAt(state, `nil data; no entry for key ${JSON.stringify(name)}`);
    return undefined;
  }
  const value = receiver instanceof Boxed ? receiver.value : receiver;
  if (value === null) return refuseAt(state, `nil pointer evaluating ${typeOf(receiver)}.${name}`);
  const hasArguments = args.length > 1 || final !== MISSING;
  const method = value instanceof GoStruct || value instanceof GoInt ? value.methods.get(name) : undefined;
  if (method !== undefined) return call(state, dot, { target: method, isBuiltin: false, name, node, caller: node, args, final });
  if (value instanceof GoStruct && value.fields.has(name)) {
    if (hasArguments) refuseAt(state, `${name} has arguments but cannot be invoked as function`);
    return value.fields.get(name) ?? undefined;
  }
  if (!(value instanceof GoMap)) return refuseAt(state, `can't evaluate field ${name} in type ${typeOf(receiver)}`);
  if (hasArguments) refuseAt(state, `${name} is not a method but has arguments`);
  const found = value.entries.get(name);
  if (found !== undefined) return boxFor(value.element, found);
  if (state.run.missingKey === 'error') refuseAt(state, `map has no entry for key ${JSON.stringify(name)}`);
  return state.run.missingKey === 'zero' ? boxFor(value.element, zeroOf(value.element)) : undefined;
}

interface FunctionCall {
  readonly name: string;
  readonly node: Operand;
  /** What an error of the function itself names. */
  readonly caller: Operand | CommandNode;
  readonly args: readonly Operand[];
  readonly final: Final;
}

function evaluateFunction(state: State, dot: GoSlot, wanted: FunctionCall): GoSlot {
  state.node = wanted.node;
  const own = state.run.functions.get(wanted.name);
  const target = own ?? state.run.builtins.get(wanted.name);
  if (target === undefined) return refuseAt(state, `"${wanted.name}" is not a defined function`);
  return call(state, dot, { ...wanted, target, isBuiltin: own === undefined });
}

function call(state: State, dot: GoSlot, wanted: FunctionCall & { target: GoFunction; isBuiltin: boolean }): GoSlot {
  const { target, name, final, isBuiltin } = wanted;
  const operands = wanted.args.slice(1);
  checkCount(state, target, name, operands.length, operands.length + (final === MISSING ? 0 : 1));
  if (isBuiltin && (name === 'and' || name === 'or')) return evaluateShortCircuit(state, dot, name, operands, final);
  const typeAt = (index: number): string => target.parameters[index] ?? target.variadic ?? 'value';
  const values = operands.map((operand, index) => evaluateArgument(state, dot, typeAt(index), operand));
  if (final !== MISSING) {
    const index = target.variadic === undefined ? target.parameters.length - 1 : operands.length;
    values.push(validate(state, final, typeAt(index)));
  }
  state.run.budget.step();
  payForArguments(state, name, values);
  try {
    const result = target.call(isBuiltin && name === 'call' ? [describeCallee(operands, final), ...values] : values) ?? undefined;
    if (!GIVES_PART.has(name) && !values.includes(result)) payForResult(state, result);
    return result;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    state.node = wanted.caller;
    return refuseAt(state, `error calling ${name}: ${error.message}`);
  }
}

/** What a function does with its arguments takes time that grows with them. */
function payForArguments({ run: { budget } }: State, name: string, values: readonly GoSlot[]): void {
  const looksOnce = LOOKS_ONCE.has(name) || LOOKS_ONCE.has(withoutMust(name));
  for (const slot of values) {
    const value = unbox(slot);
    if (!looksOnce && (value instanceof GoList || value instanceof GoMap)) weigh(value, budget.step);
    else weighOnce(value, budget.step);
  }
}

function withoutMust(name: string): string {
  return name.startsWith('must') ? `${name.slice(4, 5).toLowerCase()}${name.slice(5)}` : name;
}

/** A list or a map that was made takes memory for as long as the template keeps it. */
function payForResult({ run: { budget } }: State, result: GoSlot): void {
  if (result instanceof GoList) budget.make(result.items.length);
  else if (result instanceof GoMap) budget.make(result.entries.size);
}

function describeCallee(operands: readonly Operand[], final: Final): string {
  const [first] = operands;
  return first === undefined ? (final === MISSING ? '' : `<${typeOf(final)} Value>`) : describeNode(first);
}

function checkCount(state: State, { parameters, variadic }: GoFunction, name: string, operands: number, given: number): void {
  if (variadic === undefined) {
    if (given !== parameters.length) refuseAt(state, `wrong number of args for ${name}: want ${parameters.length} got ${given}`);
  } else if (given < parameters.length) {
    refuseAt(state, `wrong number of args for ${name}: want at least ${parameters.length} got ${operands}`);
  }
}

function evaluateShortCircuit(state: State, dot: GoSlot, name: string, operands: readonly Operand[], final: Final): GoSlot {
  let value: GoSlot;
  for (const operand of operands) {
    value = evaluateArgument(state, dot, 'value', operand);
    if (isTrue(value) === (name === 'or')) return value;
  }
  return final === MISSING ? value : validate(state, final, 'value');
}

/** The value if a parameter of that type may have it; undefined stands for any type. */
function validate(state: State, slot: GoSlot, type: string | undefined): GoSlot {
  if (type === undefined || type === 'value') return slot;
  if (slot === undefined) {
    if (!NIL_ABLE.test(type)) refuseAt(state, `invalid value; expected ${type}`);
    return (zeroOf(type) ?? null) as GoSlot;
  }
  const value = slot instanceof Boxed ? slot.value : slot;
  if (type === 'interface {}') return value as GoSlot;
  if (value === null) return refuseAt(state, `wrong type for value; expected ${type}; got interface {}`);
  if (typeOf(value) !== type) refuseAt(state, `wrong type for value; expected ${type}; got ${typeOf(value)}`);
  return value;
}

function evaluateArgument(state: State, dot: GoSlot, type: string | undefined, operand: Operand): GoSlot {
  state.node = operand;
  switch (operand.type) {
    case 'dot':
      return validate(state, dot, type);
    case 'nil':
      if (type !== undefined && !NIL_ABLE.test(type)) refuseAt(state, `cannot assign nil to ${type}`);
      return type === undefined || type === 'value' ? undefined : (zeroOf(type) as GoSlot);
    case 'field': {
      const { names } = operand;
      return validate(state, evaluateFields(state, dot, { receiver: dot, node: operand, names, args: [], final: MISSING }), type);
    }
    case 'variable':
      return validate(state, evaluateVariable(state, dot, operand.names, operand, [], MISSING), type);
    case 'pipe':
      return validate(state, evaluatePipeline(state, dot, operand), type);
    case 'identifier': {
      const value = evaluateFunction(state, dot, { name: operand.name, node: operand, caller: operand, args: [], final: MISSING });
      return validate(state, value, type);
    }
    case 'chain':
      return validate(state, evaluateChain(state, dot, operand, [], MISSING), type);
    default:
      return evaluateLiteral(state, type ?? 'value', operand);
  }
}

function evaluateLiteral(state: State, type: string, node: Extract<Node | Operand, { type: 'bool' | 'number' | 'string' }>): GoSlot {
  if (type === 'value' || type === 'interface {}') return node.type === 'number' ? constant(state, node) : node.value;
  if (type === 'bool') return node.type === 'bool' ? node.value : refuseAt(state, `expected bool; found ${describeNode(node)}`);
  if (type === 'string') return node.type === 'string' ? node.value : refuseAt(state, `expected string; found ${describeNode(node)}`);
  if (type === 'float64')
    return node.type === 'number' && node.float !== undefined ? node.float : refuseAt(state, `expected float; found ${describeNode(node)}`);
  if (/^u?int\d*$|^time\.Duration$/.test(type)) {
    const value = node.type === 'number' ? (type.startsWith('u') ? node.uint : node.int) : undefined;
    if (value !== undefined) return new GoInt(value, type);
    return refuseAt(state, `expected ${type.startsWith('u') ? 'unsigned ' : ''}integer; found ${describeNode(node)}`);
  }
  return refuseAt(state, `can't handle ${describeNode(node)} for arg of type ${type}`);
}
