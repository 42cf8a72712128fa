import type { LuaState } from './state.ts';
import type { LuaValue } from './value.ts';

/** How often the matcher may be inside of itself, and how many parts a pattern may catch. */
const DEPTH_MAX = 200;
const CAPTURES_MAX = 32;

/** A capture is a piece of the text, or where it is (`()`). */
interface Capture {
  readonly start: number;
  /** Undefined while it is open; -1 for a place. */
  end: number | undefined;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /\p{Cc}/u,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t\n\v\f\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[0-9A-Fa-f]/,
  z: /\0/,
};

export interface Match {
  /** From where up to, and without, where. */
  readonly start: number;
  readonly end: number;
  /** What the pattern caught; the whole match where it catches nothing. */
  readonly captures: readonly LuaValue[];
}

/** Finds the first match from a place on, or the one at that place where the pattern is anchored. */
export function findMatch(state: LuaState, text: string, pattern: string, from: number): Match | undefined {
  checkPattern(state, pattern);
  const isAnchored = pattern.startsWith('^');
  for (let start = from; start <= text.length; start += 1) {
    const matcher = new Matcher(state, text, pattern);
    const end = matcher.match(start, isAnchored ? 1 : 0);
    if (end !== undefined) return { start, end, captures: matcher.captured(start, end) };
    if (isAnchored) return undefined;
  }
  return undefined;
}

/** Refuses what is no pattern, also where the text would never come that far. */
function checkPattern(state: LuaState, pattern: string): void {
  let open = 0;
  for (let part = 0; part < pattern.length;) {
    const character = pattern[part];
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) throw state.fault("invalid ')'");
    part = character === '%' && pattern[part + 1] === 'b' ? part + 4 : itemEnd(state, pattern, part);
    if (part > pattern.length && character === '%' && pattern.at(-1) !== '%') throw state.fault('missing arguments to %b');
  }
  if (open > 0) throw state.fault('unfinished capture');
}

/** Where the pattern of one character ends. */
function itemEnd(state: LuaState, pattern: string, part: number): number {
  const character = pattern[part];
  if (character === '%') return part + 2;
  if (character !== '[') return part + 1;
  let at = part + (pattern[part + 1] === '^' ? 2 : 1);
  // A bracket that comes first is one of the set.
  do {
    if (at >= pattern.length) throw state.fault("missing ']'");
    at += pattern[at] === '%' ? 2 : 1;
  } while (pattern[at] !== ']');
  return at + 1;
}

class Matcher {
  readonly #state: LuaState;
  readonly #text: string;
  readonly #pattern: string;
  readonly #captures: Capture[] = [];
  #depth = 0;

  constructor(state: LuaState, text: string, pattern: string) {
    this.#state = state;
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Where a match that starts at a place of the text ends, for the pattern from a place on. */
  match(at: number, part: number): number | undefined {
    this.#state.budget.step();
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw this.#state.fault('pattern too complex');
    const end = this.#matchHere(at, part);
    this.#depth -= 1;
    return end;
  }

  captured(start: number, end: number): readonly LuaValue[] {
    if (this.#captures.length === 0) return [this.#text.slice(start, end)];
    return this.#captures.map((capture) => {
      if (capture.end === undefined) throw this.#fail('unfinished capture');
      return capture.end === -1 ? capture.start + 1 : this.#text.slice(capture.start, capture.end);
    });
  }

  #matchHere(from: number, first: number): number | undefined {
    let [at, part] = [from, first];
    for (;;) {
      if (part >= this.#pattern.length) return at;
      const character = this.#pattern[part];
      if (character === '(') return this.#open(at, part);
      if (character === ')') return this.#close(at, part);
      if (character === '$' && part + 1 === this.#pattern.length) return at === this.#text.length ? at : undefined;
      if (character === '%') {
        const special = this.#pattern[part + 1];
        if (special === 'b') return this.#balanced(at, part);
        if (special !== undefined && /[0-9]/.test(special)) return this.#again(at, part, Number(special));
      }
      const end = itemEnd(this.#state, this.#pattern, part);
      const repeat = this.#pattern[end];
      if (repeat === '*') return this.#most(at, part, end, 0);
      if (repeat === '+') return this.#most(at, part, end, 1);
      if (repeat === '-') return this.#least(at, part, end);
      const isHere = this.#isOne(at, part, end);
      if (repeat === '?') {
        const rest = isHere ? this.match(at + 1, end + 1) : undefined;
        if (rest !== undefined) return rest;
        part = end + 1;
      } else if (isHere) [at, part] = [at + 1, end];
      else return undefined;
      this.#state.budget.step();
    }
  }

  #open(at: number, part: number): number | undefined {
    if (this.#captures.length >= CAPTURES_MAX) throw this.#fail('too many captures');
    const isPlace = this.#pattern[part + 1] === ')';
    this.#captures.push({ start: at, end: isPlace ? -1 : undefined });
    const end = this.match(at, part + (isPlace ? 2 : 1));
    if (end === undefined) this.#captures.pop();
    return end;
  }

  #close(at: number, part: number): number | undefined {
    const capture = this.#captures.findLast(({ end }) => end === undefined);
    if (capture === undefined) throw this.#fail("invalid ')'");
    capture.end = at;
    const end = this.match(at, part + 1);
    if (end === undefined) capture.end = undefined;
    return end;
  }

  /** As much as there is between two characters that open and close. */
  #balanced(at: number, part: number): number | undefined {
    const [opening, closing] = [this.#pattern[part + 2], this.#pattern[part + 3]];
    if (opening === undefined || closing === undefined) throw this.#fail('missing arguments to %b');
    if (this.#text[at] !== opening) return undefined;
    let level = 1;
    for (let end = at + 1; end < this.#text.length; end += 1) {
      this.#state.budget.step();
      if (this.#text[end] === closing) level -= 1;
      else if (this.#text[end] === opening) level += 1;
      if (level === 0) return this.match(end + 1, part + 4);
    }
    return undefined;
  }

  /** The same text once more that a part caught before. */
  #again(at: number, part: number, number: number): number | undefined {
    const capture = this.#captures[number - 1];
    if (capture?.end === undefined) throw this.#fail('invalid capture index');
    const text = this.#text.slice(capture.start, Math.max(capture.start, capture.end));
    this.#state.budget.step(1 + text.length / 16);
    return this.#text.startsWith(text, at) ? this.match(at + text.length, part + 2) : undefined;
  }

  #most(at: number, part: number, end: number, least: number): number | undefined {
    let count = 0;
    while (this.#isOne(at + count, part, end)) count += 1;
    this.#state.budget.step(count / 4);
    for (; count >= least; count -= 1) {
      const rest = this.match(at + count, end + 1);
      if (rest !== undefined) return rest;
    }
    return undefined;
  }

  #least(from: number, part: number, end: number): number | undefined {
    for (let at = from; ; at += 1) {
      const rest = this.match(at, end + 1);
      if (rest !== undefined) return rest;
      if (!this.#isOne(at, part, end)) return undefined;
    }
  }

  #isOne(at: number, part: number, end: number): boolean {
    const character = this.#text[at];
    if (character === undefined) return false;
    switch (this.#pattern[part]) {
      case '.':
        return true;
      case '%':
        return isOfClass(character, this.#pattern[part + 1] ?? '');
      case '[':
        return this.#isInSet(character, part, end);
      default:
        return this.#pattern[part] === character;
    }
  }

  #isInSet(character: string, part: number, end: number): boolean {
    const isInverted = this.#pattern[part + 1] === '^';
    for (let at = part + (isInverted ? 2 : 1); at < end - 1; at += 1) {
      const from = this.#pattern[at] ?? '';
      if (from === '%') {
        at += 1;
        if (isOfClass(character, this.#pattern[at] ?? '')) return !isInverted;
      } else if (this.#pattern[at + 1] === '-' && at + 2 < end - 1) {
        if (character >= from && character <= (this.#pattern[at + 2] ?? '')) return !isInverted;
        at += 2;
      } else if (from === character) return !isInverted;
    }
    return isInverted;
  }

  #fail(message: string): Error {
    return this.#state.fault(message);
  }
}

/** A letter is a class of characters, and all others in capitals; any other character is itself. */
function isOfClass(character: string, letter: string): boolean {
  const known = CLASSES[letter.toLowerCase()];
  if (known === undefined) return character === letter;
  return known.test(character) === (letter === letter.toLowerCase());
}
