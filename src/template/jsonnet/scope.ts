/** Where a name is found while a program runs: so many frames up, at that place. */
export interface Address {
  readonly hops: number;
  readonly index: number;
}

/** The names that a piece of program sees, known before it runs. */
export class Scope {
  readonly #names: readonly string[];
  readonly #up: Scope | undefined;
  /** Whether it is inside an object, where `self` and `super` mean something. */
  readonly hasSelf: boolean;

  constructor(names: readonly string[], up: Scope | undefined, hasSelf: boolean = up?.hasSelf ?? false) {
    this.#names = names;
    this.#up = up;
    this.hasSelf = hasSelf;
  }

  find(name: string): Address | undefined {
    // Of two parameters with one name the second hides the first.
    const index = this.#names.lastIndexOf(name);
    if (index >= 0) return { hops: 0, index };
    const above = this.#up?.find(name);
    return above === undefined ? undefined : { hops: above.hops + 1, index: above.index };
  }
}

/** What an object adds: its own names, and `$` where it is the outermost of its file. */
export function objectNames(locals: readonly string[], outer: Scope): readonly string[] {
  return outer.find('$') === undefined ? ['$', ...locals] : locals;
}
