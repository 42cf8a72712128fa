import { staticError } from './jsonnet-error.ts';
import type { Source } from './jsonnet-error.ts';
import type { Assertion, Binding, Clause, Field, Node, Parameter } from './node.ts';
import { objectNames, Scope } from './scope.ts';

/**
 * Makes sure that every name means something, everywhere in a program: a mistake in a part that is never used is still told. Compiling can then
 * wait until a part is used, which most of a large library never is.
 */
export function checkProgram(root: Node, scope: Scope, source: Source): void {
  const inside = (names: readonly string[], outer: Scope): Scope => new Scope(names, outer);

  function check(node: Node | undefined, at: Scope): void {
    if (node === undefined) return;
    switch (node.kind) {
      case 'literal':
      case 'import':
        return;
      case 'variable':
        return checkVariable(node.name, node.offset, at);
      case 'self':
        if (!at.hasSelf) throw staticError("Can't use self outside of an object.", { source, offset: node.offset });
        return;
      case 'super':
      case 'inSuper':
        if (!at.hasSelf) throw staticError("Can't use super outside of an object.", { source, offset: node.offset });
        return check(node.name, at);
      case 'array':
        return node.items.forEach((item) => check(item, at));
      case 'arrayComprehension':
        return check(node.item, checkClauses(node.clauses, at));
      case 'object':
        return checkObject(node.members.fields, node.members.locals, node.members.assertions, at);
      case 'objectComprehension':
        return checkObject([node.field], node.locals, [], checkClauses(node.clauses, at));
      default:
        return checkMore(node, at);
    }
  }

  function checkMore(node: Extract<Node, { kind: MoreKinds }>, at: Scope): void {
    switch (node.kind) {
      case 'index':
        check(node.target, at);
        return check(node.name, at);
      case 'slice':
        return [node.target, ...node.bounds].forEach((part) => check(part, at));
      case 'call':
        return [node.target, ...node.positional, ...node.named.map(({ value }) => value)].forEach((part) => check(part, at));
      case 'local': {
        const inner = inside(namesOf(node.bindings), at);
        for (const { value } of node.bindings) check(value, inner);
        return check(node.body, inner);
      }
      case 'if':
        for (const { condition, whenTrue } of node.branches) [condition, whenTrue].forEach((part) => check(part, at));
        return check(node.otherwise, at);
      case 'function':
        return checkFunction(node.parameters, node.body, at);
      case 'binary':
        return checkChain(node, at);
      case 'unary':
        return check(node.operand, at);
      case 'error':
        return check(node.message, at);
      case 'assert':
        checkAssertion(node.assertion, at);
        return check(node.body, at);
    }
  }

  function checkVariable(name: string, offset: number, at: Scope): void {
    if (at.find(name) === undefined)
      throw staticError(name === '$' ? 'No top-level object found.' : `Unknown variable: ${name}`, { source, offset });
  }

  function checkObject(fields: readonly Field[], locals: readonly Binding[], assertions: readonly Assertion[], outer: Scope): void {
    const inner = new Scope(objectNames(namesOf(locals), outer), outer, true);
    for (const { value } of locals) check(value, inner);
    for (const assertion of assertions) checkAssertion(assertion, inner);
    for (const { name, body } of fields) {
      check(name, outer);
      check(body, inner);
    }
  }

  function checkAssertion({ condition, message }: Assertion, at: Scope): void {
    check(condition, at);
    check(message, at);
  }

  function checkFunction(parameters: readonly Parameter[], body: Node, outer: Scope): void {
    const inner = inside(namesOf(parameters), outer);
    for (const { standard } of parameters) check(standard, inner);
    check(body, inner);
  }

  /** What the item of a comprehension sees. */
  function checkClauses(clauses: readonly Clause[], outer: Scope): Scope {
    let at = outer;
    for (const clause of clauses) {
      check(clause.kind === 'if' ? clause.condition : clause.list, at);
      if (clause.kind === 'for') at = inside([clause.name], at);
    }
    return at;
  }

  function checkChain(root: Extract<Node, { kind: 'binary' }>, at: Scope): void {
    let left: Node = root;
    while (left.kind === 'binary') {
      check(left.right, at);
      left = left.left;
    }
    check(left, at);
  }

  check(root, scope);
}

type MoreKinds = 'index' | 'slice' | 'call' | 'local' | 'if' | 'function' | 'binary' | 'unary' | 'error' | 'assert';

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}
