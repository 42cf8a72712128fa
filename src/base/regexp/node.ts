/** The parts of a regular expression. */
export type RegexpNode =
  | { readonly type: 'empty' }
  | CharacterSet
  | { readonly type: 'assert'; readonly kind: Assertion }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly RegexpNode[] }
  | { readonly type: 'group'; readonly node: RegexpNode; readonly index: number }
  | { readonly type: 'repeat'; readonly node: RegexpNode; readonly min: number; readonly max: number; readonly greedy: boolean };

export interface CharacterSet {
  readonly type: 'set';
  readonly has: CharacterTest;
  /** How many parts are asked, where they are many. */
  readonly size?: number;
}

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** Whether a code point belongs to a set. */
export type CharacterTest = (code: number) => boolean;

export interface ParsedRegexp {
  readonly node: RegexpNode;
  /** Names of the groups; the whole is the first. */
  readonly names: readonly (string | undefined)[];
}

/** Matches in the words of Go's own package. */
export class RegexpError extends Error {
  constructor(problem: string, part: string) {
    super(`error parsing regexp: ${problem}: \`${part}\``);
  }
}
