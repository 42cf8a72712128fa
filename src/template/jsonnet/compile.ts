import { compileBinary } from './compile-binary.ts';
import { compileCall, compileFunction } from './compile-call.ts';
import { compileArrayComprehension } from './compile-comprehension.ts';
import { compileIndex, compileSlice } from './compile-index.ts';
import { compileObject, compileObjectComprehension } from './compile-object.ts';
import type { Compiler, Delayed, Unit } from './compiler.ts';
import { expectBoolean } from './expect.ts';
import type { Place } from './jsonnet-error.ts';
import { toText } from './manifest-json.ts';
import type { Assertion, Binding, Node } from './node.ts';
import { applyUnary } from './operators.ts';
import type { Runtime } from './runtime.ts';
import { Scope } from './scope.ts';
import { force, Frame, JsonnetArray, Thunk } from './value.ts';
import type { Evaluator, Outcome, Slot } from './value.ts';

/** Turns what was read and checked into functions that evaluate it, with every name looked up once and for all. */
export function compileProgram(root: Node, scope: Scope, unit: Unit): Evaluator {
  const { source } = unit;
  const compiler: Compiler = {
    ...unit,
    place: (offset) => ({ source, offset }),
    evaluator: (node, inner) => compile(compiler, node, inner, false) as Evaluator,
    body: (node, inner) => compile(compiler, node, inner, true),
    delayed: (node, inner) => compileDelayed(compiler, node, inner),
    bindings: (list, inner) => compileBindings(compiler, list, inner),
    assertion: (assertion, inner, standard) => compileAssertion(compiler, assertion, inner, standard),
  };
  return compiler.evaluator(root, scope);
}

/** Only the body of a function may give a call in place of a value. */
function compile(compiler: Compiler, node: Node, scope: Scope, isTail: boolean): (frame: Frame) => Outcome {
  const { runtime } = compiler;
  switch (node.kind) {
    case 'local': {
      const inner = new Scope(
        node.bindings.map(({ name }) => name),
        scope,
      );
      const bind = compiler.bindings(node.bindings, inner);
      const body = compile(compiler, node.body, inner, isTail);
      return (frame) => {
        const own = new Frame([], frame);
        bind(own);
        return body(own);
      };
    }
    case 'if': {
      const branches = node.branches.map(({ condition, whenTrue, offset }) => ({
        condition: compiler.evaluator(condition, scope),
        whenTrue: compile(compiler, whenTrue, scope, isTail),
        place: compiler.place(offset),
      }));
      const otherwise = node.otherwise === undefined ? () => null : compile(compiler, node.otherwise, scope, isTail);
      return (frame) => {
        for (const { condition, whenTrue, place } of branches) {
          const decided = condition(frame);
          runtime.place = place;
          if (expectBoolean(runtime, decided)) return whenTrue(frame);
        }
        return otherwise(frame);
      };
    }
    case 'assert': {
      const check = compiler.assertion(node.assertion, scope, 'Assertion failed');
      const body = compile(compiler, node.body, scope, isTail);
      return (frame) => {
        check(frame);
        return body(frame);
      };
    }
    case 'call':
      return compileCall(compiler, node, scope, isTail);
    default:
      return compileValue(compiler, node, scope);
  }
}

function compileValue(compiler: Compiler, node: Exclude<Node, { kind: 'local' | 'if' | 'assert' | 'call' }>, scope: Scope): Evaluator {
  const { runtime, source } = compiler;
  const place = compiler.place(node.offset);
  switch (node.kind) {
    case 'literal':
      return compileLiteral(runtime, node.value, place);
    case 'variable':
      return compileVariable(node.name, scope);
    case 'self':
      return ({ self = null }) => self;
    case 'array': {
      const items = node.items.map((item) => compiler.delayed(item, scope));
      return (frame) => new JsonnetArray(items.map((item) => item(frame)));
    }
    case 'arrayComprehension':
      return compileArrayComprehension(compiler, node, scope);
    case 'object':
      return compileObject(compiler, node.members, scope, place);
    case 'objectComprehension':
      return compileObjectComprehension(compiler, node, scope);
    case 'index':
    case 'super':
    case 'inSuper':
      return compileIndex(compiler, node, scope);
    case 'slice':
      return compileSlice(compiler, node, scope);
    case 'function':
      return compileFunction(compiler, node.parameters, node.body, scope);
    case 'binary':
      return compileBinary(compiler, node, scope);
    case 'unary': {
      const operand = compiler.evaluator(node.operand, scope);
      return (frame) => {
        const value = operand(frame);
        runtime.place = place;
        return applyUnary(runtime, node.operator, value);
      };
    }
    case 'error': {
      const message = compiler.evaluator(node.message, scope);
      return (frame) => {
        const told = toText(runtime, message(frame));
        runtime.place = place;
        throw runtime.fail(told);
      };
    }
    case 'import':
      return () => {
        runtime.place = place;
        return compiler.import(node.form, source, node.path);
      };
  }
}

/** A number too large to be one is told only where it is used. */
function compileLiteral(runtime: Runtime, value: null | boolean | number | string, place: Place): Evaluator {
  if (typeof value !== 'number' || Number.isFinite(value)) return () => value;
  return () => {
    runtime.place = place;
    throw runtime.fail('overflow');
  };
}

function compileVariable(name: string, scope: Scope): Evaluator {
  const address = scope.find(name);
  if (address === undefined) throw new Error('a program is compiled that was not checked');
  const { hops, index } = address;
  if (hops === 0) return (frame) => force(frame.slots[index] ?? null);
  return (frame) => force(slotAt(frame, hops, index) ?? null);
}

/** A value where there is nothing to put off. */
function compileDelayed(compiler: Compiler, node: Node, scope: Scope): Delayed {
  const { runtime } = compiler;
  if (node.kind === 'literal' && !(typeof node.value === 'number' && !Number.isFinite(node.value))) {
    const { value } = node;
    return () => value;
  }
  const evaluate = compiler.evaluator(node, scope);
  if (node.kind === 'function' || node.kind === 'self') return evaluate;
  const address = node.kind === 'variable' ? scope.find(node.name) : undefined;
  if (address === undefined) return (frame) => new Thunk(runtime, evaluate, frame);
  const { hops, index } = address;
  // A variable that is not there yet is being made: it is looked up again later.
  return (frame) => slotAt(frame, hops, index) ?? new Thunk(runtime, evaluate, frame);
}

function compileBindings(compiler: Compiler, list: readonly Binding[], scope: Scope): (frame: Frame) => void {
  const values = list.map(({ value }) => compiler.delayed(value, scope));
  return (frame) => {
    const first = frame.slots.length;
    for (const [at, value] of values.entries()) frame.slots[first + at] = value(frame);
  };
}

function compileAssertion(
  compiler: Compiler,
  { condition, message, offset }: Assertion,
  scope: Scope,
  standard: string,
): (frame: Frame) => void {
  const { runtime } = compiler;
  const place = compiler.place(offset);
  const holds = compiler.evaluator(condition, scope);
  const told = message === undefined ? undefined : compiler.evaluator(message, scope);
  return (frame) => {
    const isMet = holds(frame);
    runtime.place = place;
    if (expectBoolean(runtime, isMet)) return;
    const text = told === undefined ? standard : toText(runtime, told(frame));
    runtime.place = place;
    throw runtime.fail(text);
  };
}

function slotAt(frame: Frame, hops: number, index: number): Slot | undefined {
  let at: Frame | undefined = frame;
  for (let hop = 0; hop < hops; hop += 1) at = at?.up;
  return at?.slots[index];
}
