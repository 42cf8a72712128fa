import type { Compiler } from './compiler.ts';
import { expectNumber, expectText } from './expect.ts';
import type { Node } from './node.ts';
import { JsonnetObject } from './object.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';
import { sliceValue } from './slice.ts';
import { textAt, textLength } from './text.ts';
import { force, JsonnetArray, typeOf } from './value.ts';
import type { Evaluator, Frame, Value } from './value.ts';

export function compileIndex(compiler: Compiler, node: Extract<Node, { kind: 'index' | 'super' | 'inSuper' }>, scope: Scope): Evaluator {
  const { runtime } = compiler;
  const place = compiler.place(node.offset);
  const name = compiler.evaluator(node.name, scope);
  if (node.kind === 'index') {
    const target = compiler.evaluator(node.target, scope);
    if (node.name.kind === 'literal' && typeof node.name.value === 'string') {
      const { value: field } = node.name;
      return (frame) => {
        const value = target(frame);
        runtime.place = place;
        return value instanceof JsonnetObject ? value.get(runtime, field) : indexValue(runtime, value, field);
      };
    }
    return (frame) => {
      const value = target(frame);
      const key = name(frame);
      runtime.place = place;
      return indexValue(runtime, value, key);
    };
  }
  return (frame) => {
    const key = name(frame);
    runtime.place = place;
    return node.kind === 'super' ? indexSuper(runtime, frame, key) : isInSuper(runtime, frame, key);
  };
}

function indexValue(runtime: Runtime, target: Value, key: Value): Value {
  if (target instanceof JsonnetObject) return target.get(runtime, expectText(runtime, key));
  if (target instanceof JsonnetArray) {
    const at = Math.trunc(expectNumber(runtime, key));
    const slot = target.slots[at];
    if (slot === undefined) throw runtime.fail(`Index ${at} out of bounds, not within [0, ${target.slots.length})`);
    return force(slot);
  }
  if (typeof target === 'string') {
    const at = Math.trunc(expectNumber(runtime, key));
    const character = textAt(target, at);
    if (character === undefined) throw runtime.fail(`Index ${at} out of bounds, not within [0, ${textLength(target)})`);
    return character;
  }
  throw runtime.fail(`Value non indexable: ${typeOf(target)}`);
}

function indexSuper(runtime: Runtime, { self, layer }: Frame, key: Value): Value {
  const name = expectText(runtime, key);
  if (self === undefined || layer === 0) throw runtime.fail('Attempt to use super when there is no super class.');
  self.check(runtime);
  const found = self.find(name, layer);
  if (found < 0) throw runtime.fail(`Field does not exist: ${name}`);
  return self.valueAt(runtime, name, found);
}

function isInSuper(runtime: Runtime, { self, layer }: Frame, key: Value): boolean {
  const name = expectText(runtime, key);
  return self !== undefined && self.find(name, layer) >= 0;
}

export function compileSlice(compiler: Compiler, node: Extract<Node, { kind: 'slice' }>, scope: Scope): Evaluator {
  const { runtime } = compiler;
  const target = compiler.evaluator(node.target, scope);
  const bounds = node.bounds.map((bound) => (bound === undefined ? () => null : compiler.evaluator(bound, scope)));
  const place = compiler.place(node.offset);
  return (frame) => {
    const value = target(frame);
    const [from = null, to = null, step = null] = bounds.map((bound) => bound(frame));
    runtime.place = place;
    return sliceValue(runtime, value, [from, to, step]);
  };
}
