import { TemplateError } from '../template-error.ts';
import { lexExpression, type Token } from './lex.ts';
import type { ExprNode } from './node.ts';

/** How deep an expression may be; each level is a call on the stack. */
const DEPTH_MAX = 100;

const BINARY: Readonly<Record<string, number>> = {
  or: 10,
  '||': 10,
  and: 15,
  '&&': 15,
  '==': 20,
  '!=': 20,
  '<': 20,
  '>': 20,
  '<=': 20,
  '>=': 20,
  in: 20,
  matches: 20,
  contains: 20,
  startsWith: 20,
  endsWith: 20,
  '..': 25,
  '+': 30,
  '-': 30,
  '*': 60,
  '/': 60,
  '%': 60,
  '**': 100,
  '^': 100,
  '??': 500,
};
const UNARY: Readonly<Record<string, number>> = { not: 50, '-': 90, '+': 90, '!': 1000 };
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['**', '^']);
const CONSTANTS: ReadonlyMap<string, true | false | null> = new Map([
  ['true', true as const],
  ['false', false as const],
  ['nil', null],
]);

/** Reads an expression. Throws TemplateError where it is none. */
export function parseExpression(text: string): ExprNode {
  return new Parser(lexExpression(text)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): ExprNode {
    const node = this.#pipeline();
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return node;
  }

  /** `value | function(more)` is `function(value, more)`. */
  #pipeline(): ExprNode {
    let node = this.#choice();
    while (this.#take('|')) {
      const name = this.#name();
      const args = this.#take('(') ? this.#arguments() : [];
      node = this.#postfix({ kind: 'call', name, args: [node, ...args] });
    }
    return node;
  }

  #choice(): ExprNode {
    const condition = this.#operation(0);
    if (!this.#take('?')) return condition;
    const chosen = this.#take(':') ? condition : this.#thenPart();
    return { kind: 'choice', condition, chosen, otherwise: this.#pipeline() };
  }

  #thenPart(): ExprNode {
    const node = this.#pipeline();
    this.#expect(':');
    return node;
  }

  #operation(least: number): ExprNode {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new TemplateError(`more than ${DEPTH_MAX} levels deep`);
    let left = this.#unary();
    for (;;) {
      const { kind, text } = this.#peek();
      const isNegated = kind === 'name' && text === 'not' && this.#peek(1).kind === 'name' && Object.hasOwn(BINARY, this.#peek(1).text);
      const operator = isNegated ? this.#peek(1).text : text;
      const strength = kind === 'sign' || kind === 'name' ? (Object.hasOwn(BINARY, operator) ? BINARY[operator] : undefined) : undefined;
      if (strength === undefined || strength < least) break;
      this.#at += isNegated ? 2 : 1;
      const right = this.#operation(RIGHT_TO_LEFT.has(operator) ? strength : strength + 1);
      const node: ExprNode = { kind: 'binary', operator, left, right };
      left = isNegated ? { kind: 'unary', operator: 'not', operand: node } : node;
    }
    this.#depth -= 1;
    return left;
  }

  #unary(): ExprNode {
    const { kind, text } = this.#peek();
    const strength = (kind === 'sign' || kind === 'name') && Object.hasOwn(UNARY, text) ? UNARY[text] : undefined;
    if (strength === undefined) return this.#postfix(this.#primary());
    this.#at += 1;
    return { kind: 'unary', operator: text, operand: this.#operation(strength) };
  }

  #primary(): ExprNode {
    const { kind, text } = this.#next();
    if (kind === 'number') return { kind: 'value', value: Number(text) };
    if (kind === 'text') return { kind: 'value', value: text };
    if (kind === 'name') return this.#named(text);
    switch (text) {
      case '(': {
        const node = this.#pipeline();
        this.#expect(')');
        return node;
      }
      case '[':
        return { kind: 'list', items: this.#list(']') };
      case '{':
        return this.#map();
      case '#':
        return { kind: 'element' };
      case '.':
        return { kind: 'member', of: { kind: 'element' }, key: { kind: 'value', value: this.#name() }, optional: false };
      default:
        this.#at -= 1;
        throw this.#unexpected();
    }
  }

  #named(name: string): ExprNode {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'value', value: constant };
    return this.#take('(') ? { kind: 'call', name, args: this.#arguments() } : { kind: 'name', name };
  }

  #postfix(node: ExprNode): ExprNode {
    let result = node;
    for (;;) {
      const optional = this.#take('?.');
      if (optional || this.#take('.')) {
        const key: ExprNode = optional && this.#take('[') ? this.#keyUntil(']') : { kind: 'value', value: this.#name() };
        result = this.#take('(') ? this.#method(key, result) : { kind: 'member', of: result, key, optional };
      } else if (this.#take('[')) {
        result = this.#index(result);
      } else {
        return result;
      }
    }
  }

  #method(key: ExprNode, of: ExprNode): ExprNode {
    const name = key.kind === 'value' && typeof key.value === 'string' ? key.value : '';
    return { kind: 'call', name, args: [of, ...this.#arguments()] };
  }

  #keyUntil(end: string): ExprNode {
    const key = this.#pipeline();
    this.#expect(end);
    return key;
  }

  #index(of: ExprNode): ExprNode {
    if (this.#take(':')) return { kind: 'slice', of, from: undefined, to: this.#take(']') ? undefined : this.#keyUntil(']') };
    const key = this.#pipeline();
    if (this.#take(':')) return { kind: 'slice', of, from: key, to: this.#take(']') ? undefined : this.#keyUntil(']') };
    this.#expect(']');
    return { kind: 'member', of, key, optional: false };
  }

  /** An argument in braces is evaluated for each element, and so is one that speaks of `#` without them. */
  #arguments(): readonly ExprNode[] {
    const args: ExprNode[] = [];
    while (!this.#take(')')) {
      if (args.length > 0) this.#expect(',');
      if (this.#take('{')) {
        args.push({ kind: 'predicate', body: this.#pipeline() });
        this.#expect('}');
      } else {
        args.push(this.#pipeline());
      }
    }
    return args;
  }

  #list(end: string): readonly ExprNode[] {
    const items: ExprNode[] = [];
    while (!this.#take(end)) {
      if (items.length > 0) this.#expect(',');
      if (items.length > 0 && this.#take(end)) break;
      items.push(this.#pipeline());
    }
    return items;
  }

  #map(): ExprNode {
    const entries: (readonly [ExprNode, ExprNode])[] = [];
    while (!this.#take('}')) {
      if (entries.length > 0) this.#expect(',');
      const { kind, text } = this.#peek();
      const key: ExprNode = kind === 'sign' ? this.#primary() : { kind: 'value', value: (this.#next(), text) };
      this.#expect(':');
      entries.push([key, this.#pipeline()]);
    }
    return { kind: 'map', entries };
  }

  #name(): string {
    const token = this.#next();
    if (token.kind === 'name') return token.text;
    this.#at -= 1;
    throw this.#unexpected();
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '', at: 0 };
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== 'sign' || text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#unexpected(`, expected ${sign}`);
  }

  #unexpected(more = ''): TemplateError {
    const { kind, text, at } = this.#peek();
    return new TemplateError(kind === 'end' ? `unexpected end${more}` : `unexpected ${JSON.stringify(text)} at ${at + 1}${more}`);
  }
}
