import { compileClauses } from './compile-comprehension.ts';
import type { Compiler } from './compiler.ts';
import type { Place } from './jsonnet-error.ts';
import { quoteText } from './manifest-json.ts';
import type { Binding, Field, Node, ObjectMembers } from './node.ts';
import { JsonnetObject } from './object.ts';
import type { FieldDefinition, Layer } from './object.ts';
import { plus } from './operators.ts';
import type { Runtime } from './runtime.ts';
import { onFirstUse } from './on-first-use.ts';
import { objectNames, Scope } from './scope.ts';
import { Frame, typeOf } from './value.ts';
import type { Evaluator, Value } from './value.ts';

/** Makes the variables of a layer in an object. */
type Bind = (outer: Frame) => (object: JsonnetObject, layer: number) => Frame;

export function compileObject(compiler: Compiler, members: ObjectMembers, outer: Scope, place: Place): Evaluator {
  const { runtime } = compiler;
  const { scope, bind } = compileVariables(compiler, members.locals, outer);
  const assertions = members.assertions.map((assertion) => compiler.assertion(assertion, scope, 'Object assertion failed.'));
  const fields = members.fields.map((field) => {
    const { name } = field;
    const definition = defineField(
      runtime,
      field,
      onFirstUse(() => compiler.evaluator(field.body, scope)),
      ownFrame,
    );
    if (!field.isComputed && name.kind === 'literal') return { name: String(name.value), definition };
    return { compute: compiler.evaluator(name, outer), definition };
  });
  const fixed = new Map<string, FieldDefinition>();
  for (const { name, definition } of fields) if (name !== undefined) fixed.set(name, definition);
  const isFixed = fixed.size === fields.length;
  return (frame) => {
    const named = isFixed ? fixed : new Map<string, FieldDefinition>();
    if (!isFixed)
      for (const { name, compute, definition } of fields) {
        const known = name ?? fieldName(runtime, compute?.(frame) ?? null, place);
        if (known === undefined) continue;
        if (named.has(known)) throw runtime.fail(`Duplicate field name: ${quoteText(known)}`);
        named.set(known, definition);
      }
    runtime.makeList(1);
    const layer: Layer = { fields: named, bind: bind(frame), assertions };
    return new JsonnetObject([layer]);
  };
}

export function compileObjectComprehension(
  compiler: Compiler,
  { field, locals, clauses, offset }: Extract<Node, { kind: 'objectComprehension' }>,
  outer: Scope,
): Evaluator {
  const { runtime } = compiler;
  const place = compiler.place(offset);
  const { scope: scopeOfName, each } = compileClauses(compiler, clauses, outer);
  const name = compiler.evaluator(field.name, scopeOfName);
  const { scope, bind } = compileVariables(compiler, locals, scopeOfName);
  const body = onFirstUse(() => compiler.evaluator(field.body, scope));
  return (frame) => {
    const fields = new Map<string, FieldDefinition>();
    each(frame, (inner) => {
      const known = fieldName(runtime, name(inner), place);
      if (known === undefined) return;
      if (fields.has(known)) throw runtime.fail(`Duplicate field name: ${quoteText(known)}`);
      runtime.makeList(fields.size + 1, 1);
      // Each field has variables of its own: those of the clauses differ.
      fields.set(known, defineField(runtime, field, body, bind(inner)));
    });
    return new JsonnetObject([{ fields, assertions: [] }]);
  };
}

function compileVariables(compiler: Compiler, locals: readonly Binding[], outer: Scope): { readonly scope: Scope; readonly bind: Bind } {
  const isOutermost = outer.find('$') === undefined;
  const names = locals.map(({ name }) => name);
  const scope = new Scope(objectNames(names, outer), outer, true);
  const bindLocals = compiler.bindings(locals, scope);
  const bind: Bind = (frame) => (object, layer) => {
    const own = new Frame(isOutermost ? [object] : [], frame, object, layer);
    bindLocals(own);
    return own;
  };
  return { scope, bind };
}

/** The name that a computed one turns out to be; none where it is null. */
function fieldName(runtime: Runtime, value: Value, place: Place): string | undefined {
  runtime.place = place;
  if (value === null) return undefined;
  if (typeof value !== 'string') throw runtime.fail(`Field name must be string, got ${typeOf(value)}`);
  return value;
}

function defineField(
  runtime: Runtime,
  { visibility, isAddition }: Field,
  body: () => Evaluator,
  frameOf: (object: JsonnetObject, layer: number) => Frame,
): FieldDefinition {
  if (!isAddition) return { visibility, evaluate: (object, layer) => body()(frameOf(object, layer)) };
  return {
    visibility,
    evaluate(object, layer, name) {
      const added = body()(frameOf(object, layer));
      const below = object.find(name, layer);
      return below < 0 ? added : plus(runtime, object.valueAt(runtime, name, below), added);
    },
  };
}

/** The variables of a layer are made once for each object. */
function ownFrame(object: JsonnetObject, layer: number): Frame {
  return object.frame(layer);
}
