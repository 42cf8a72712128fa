import type { Assertion, Binding, Parameter } from './node.ts';
import type { TokenReader } from './token-reader.ts';

export function parseAssertion(reader: TokenReader): Assertion {
  const { offset } = reader.expect('assert');
  const condition = reader.expression();
  return { condition, message: reader.takeIf(':') ? reader.expression() : undefined, offset };
}

export function parseBindings(reader: TokenReader): Binding[] {
  const bindings: Binding[] = [];
  do bindings.push(parseBinding(reader, bindings));
  while (reader.takeIf(','));
  return bindings;
}

export function parseBinding(reader: TokenReader, earlier: readonly Binding[]): Binding {
  const { offset } = reader.peek();
  const name = reader.name();
  if (earlier.some((binding) => binding.name === name)) throw reader.fail(`Duplicate local var: ${name}`, offset);
  if (!reader.takeIf('(')) {
    reader.expect('=');
    return { name, value: reader.expression(), offset };
  }
  const parameters = parseParameters(reader);
  reader.expect('=');
  return { name, value: { kind: 'function', parameters, body: reader.expression(), offset }, offset };
}

/** After the opening parenthesis. */
export function parseParameters(reader: TokenReader): Parameter[] {
  const parameters: Parameter[] = [];
  while (!reader.is(')')) {
    const name = reader.name();
    parameters.push({ name, standard: reader.takeIf('=') ? reader.expression() : undefined });
    if (!reader.takeIf(',')) break;
  }
  reader.expect(')');
  return parameters;
}
