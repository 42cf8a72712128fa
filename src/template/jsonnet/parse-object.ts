import type { Assertion, Binding, Clause, Field, Node, Visibility } from './node.ts';
import { parseAssertion, parseBinding, parseParameters } from './parse-bindings.ts';
import type { TokenReader } from './token-reader.ts';

const COLONS: ReadonlyMap<string, Visibility> = new Map([
  [':', 'inherited'],
  ['::', 'hidden'],
  [':::', 'visible'],
]);

/** After the opening brace. */
export function parseObject(reader: TokenReader, offset: number): Node {
  const fields: Field[] = [];
  const locals: Binding[] = [];
  const assertions: Assertion[] = [];
  const names = new Set<string>();
  while (!reader.is('}')) {
    if (reader.is('local')) {
      reader.take();
      locals.push(parseBinding(reader, locals));
    } else if (reader.is('assert')) assertions.push(parseAssertion(reader));
    else fields.push(parseField(reader, names));
    const isMore = reader.takeIf(',');
    if (reader.is('for')) return parseComprehension(reader, { fields, locals, assertions, offset });
    if (!isMore && !reader.is('}')) throw reader.fail('Expected a comma before next field');
  }
  reader.expect('}');
  return { kind: 'object', members: { fields, locals, assertions }, offset };
}

function parseComprehension(
  reader: TokenReader,
  object: { fields: readonly Field[]; locals: readonly Binding[]; assertions: readonly Assertion[]; offset: number },
): Node {
  const { fields, locals, assertions, offset } = object;
  const [field, second] = fields;
  if (assertions.length > 0) throw reader.fail('Object comprehension cannot have asserts');
  if (field === undefined || second !== undefined) throw reader.fail('Object comprehension can only have one field');
  if (field.visibility !== 'inherited') throw reader.fail('Object comprehensions cannot have hidden fields');
  if (!field.isComputed) throw reader.fail('Object comprehensions can only have [e] fields');
  const clauses = parseClauses(reader);
  reader.expect('}');
  return { kind: 'objectComprehension', field, locals, clauses, offset };
}

function parseField(reader: TokenReader, names: Set<string>): Field {
  const { kind, text, offset } = reader.peek();
  let name: Node;
  const isComputed = reader.is('[');
  if (isComputed) {
    reader.take();
    name = reader.expression();
    reader.expect(']');
  } else {
    const word = kind === 'text' || kind === 'block' ? reader.take().text : reader.name();
    if (names.has(word)) throw reader.fail(`Duplicate field: ${text}`, offset);
    names.add(word);
    name = { kind: 'literal', value: word, offset };
  }
  const parameters = !isComputed && reader.takeIf('(') ? parseParameters(reader) : undefined;
  const { isAddition, visibility } = parseColons(reader);
  if (parameters !== undefined && isAddition) throw reader.fail(`Cannot use +: syntax sugar in a method: ${text}`, offset);
  const value = reader.expression();
  const body: Node = parameters === undefined ? value : { kind: 'function', parameters, body: value, offset };
  return { name, isComputed, isAddition, visibility, body };
}

function parseColons(reader: TokenReader): { readonly isAddition: boolean; readonly visibility: Visibility } {
  const { kind, text } = reader.peek();
  const isAddition = text.startsWith('+');
  const visibility = kind === 'operator' ? COLONS.get(isAddition ? text.slice(1) : text) : undefined;
  if (visibility === undefined) throw reader.unexpected('one of :, ::, :::, +:, +::, +:::');
  reader.take();
  return { isAddition, visibility };
}

/** `for x in list` and `if condition`, as many as there are. */
export function parseClauses(reader: TokenReader): Clause[] {
  const clauses: Clause[] = [];
  for (;;) {
    if (reader.takeIf('for')) {
      const name = reader.name();
      reader.expect('in');
      clauses.push({ kind: 'for', name, list: reader.expression() });
    } else if (reader.takeIf('if')) clauses.push({ kind: 'if', condition: reader.expression() });
    else return clauses;
  }
}
