import type { Capture, NameNode, Variable } from './node.ts';

/** The names of a function while it is parsed, and through its parent those around it. */
export class FunctionScope {
  readonly captures: Capture[] = [];
  readonly isVariadic: boolean;
  slotCount = 0;
  readonly #parent: FunctionScope | undefined;
  readonly #blocks: Map<string, Variable>[] = [];
  readonly #captureIndexes = new Map<Variable, number>();

  constructor(parent: FunctionScope | undefined, isVariadic: boolean) {
    this.#parent = parent;
    this.isVariadic = isVariadic;
  }

  openBlock(): void {
    this.#blocks.push(new Map());
  }

  closeBlock(): void {
    this.#blocks.pop();
  }

  /** A variable that hides others of its name from here to the end of the block. */
  declare(name: string): Variable {
    const variable: Variable = { name, slot: this.slotCount, isCaptured: false };
    this.slotCount += 1;
    this.#blocks.at(-1)?.set(name, variable);
    return variable;
  }

  resolve(name: string, line: number): NameNode {
    const variable = this.#findOwn(name);
    if (variable !== undefined) return { type: 'local', variable };
    const found = this.#parent?.lookUp(name);
    return found === undefined ? { type: 'global', name, line } : { type: 'captured', index: this.#indexOf(found) };
  }

  /** How an inner function gets at a variable of this one, or of one further out. */
  lookUp(name: string): Found | undefined {
    const own = this.#findOwn(name);
    if (own !== undefined) {
      own.isCaptured = true;
      return { variable: own, capture: { from: 'variable', variable: own } };
    }
    const found = this.#parent?.lookUp(name);
    return found && { variable: found.variable, capture: { from: 'capture', index: this.#indexOf(found) } };
  }

  #findOwn(name: string): Variable | undefined {
    return this.#blocks.findLast((block) => block.has(name))?.get(name);
  }

  #indexOf({ variable, capture }: Found): number {
    const known = this.#captureIndexes.get(variable);
    if (known !== undefined) return known;
    this.captures.push(capture);
    this.#captureIndexes.set(variable, this.captures.length - 1);
    return this.captures.length - 1;
  }
}

interface Found {
  readonly variable: Variable;
  readonly capture: Capture;
}
