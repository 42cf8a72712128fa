import { isWordCode } from './character-set.ts';
import { compileProgram } from './compile-program.ts';
import type { Instruction } from './compile-program.ts';
import type { Assertion } from './node.ts';
import { parseRegexp } from './parse.ts';

/** Takes the steps of reading an expression and of searching with it; throws where there are too many. */
export interface StepBudget {
  readonly step: (count?: number) => void;
}

/** Where a match and its groups begin and end, in characters; -1 for a group that took no part. */
export type Match = readonly number[];

export interface Regexp {
  /** Names of the groups; the whole is the first. */
  readonly names: readonly (string | undefined)[];
  /** The first match from a place on, of those there the one that the expression prefers. */
  find(characters: readonly string[], from: number): Match | undefined;
  /** As Go's FindAll: an empty match right after a match does not count. */
  findAll(characters: readonly string[], countMax: number): Match[];
}

/** Places times steps that one search may remember. */
const MEMORY_MAX = 8 << 20;
/** How many parts of a set are asked, or places of groups made, in about as much time as one step takes. */
const SHARE = 16;

/** Steps are taken from the budget for each place that is looked at: no expression takes time that grows faster than the text. */
export function compileRegexp(pattern: string, budget: StepBudget): Regexp {
  const { node, names } = parseRegexp(pattern);
  const program = compileProgram(node);
  budget.step(program.length);
  const find: Regexp['find'] = (characters, from) => search(program, names.length * 2, characters, from, budget);
  return { names, find, findAll: (characters, countMax) => findAll(find, characters, countMax) };
}

function findAll(find: Regexp['find'], characters: readonly string[], countMax: number): Match[] {
  const matches: Match[] = [];
  let previousEnd = -1;
  for (let at = 0; at <= characters.length && (countMax < 0 || matches.length < countMax);) {
    const match = find(characters, at);
    if (match === undefined) break;
    const [start = 0, end = 0] = match;
    const isEmptyAfterMatch = end === at && start === previousEnd;
    at = end === at ? at + 1 : end;
    previousEnd = end;
    if (!isEmptyAfterMatch) matches.push(match);
  }
  return matches;
}

interface Job {
  readonly step: number;
  readonly at: number;
  /** Not a step: a slot goes back to what it was. */
  readonly slot?: number;
  readonly value?: number;
}

function search(
  program: readonly Instruction[],
  slotCount: number,
  characters: readonly string[],
  from: number,
  budget: StepBudget,
): Match | undefined {
  const width = characters.length - from + 1;
  if (program.length * width > MEMORY_MAX) throw new RangeError('the text is too long for the regular expression');
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const seen = new Uint8Array(program.length * width);
  budget.step(seen.length / 1000);
  for (let start = from; start <= characters.length; start += 1) {
    budget.step(slotCount / SHARE);
    const match = matchAt(program, slotCount, codes, start, { seen, from, width, budget });
    if (match !== undefined) return match;
  }
  return undefined;
}

interface Memory {
  readonly seen: Uint8Array;
  readonly from: number;
  readonly width: number;
  readonly budget: StepBudget;
}

/** Tries ways in the order of preference; a step that failed at a place once is never tried there again. */
function matchAt(
  program: readonly Instruction[],
  slotCount: number,
  codes: readonly number[],
  start: number,
  memory: Memory,
): Match | undefined {
  const slots: number[] = Array.from({ length: slotCount }, () => -1);
  const jobs: Job[] = [{ step: 0, at: start }];
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if (job.slot !== undefined) {
      slots[job.slot] = job.value ?? -1;
      continue;
    }
    let { step, at } = job;
    for (;;) {
      const key = step * memory.width + (at - memory.from);
      if (memory.seen[key] === 1) break;
      memory.seen[key] = 1;
      memory.budget.step(0.5);
      const instruction = program[step];
      if (instruction === undefined) break;
      if (instruction.type === 'match') return slots;
      if (instruction.type === 'split') {
        jobs.push({ step: instruction.second, at });
        step = instruction.first;
      } else if (instruction.type === 'jump') {
        step = instruction.to;
      } else if (instruction.type === 'save') {
        jobs.push({ step: 0, at: 0, slot: instruction.slot, value: slots[instruction.slot] ?? -1 });
        slots[instruction.slot] = at;
        step += 1;
      } else if (instruction.type === 'set') {
        const code = codes[at];
        if (instruction.size !== undefined) memory.budget.step(instruction.size / SHARE);
        if (code === undefined || !instruction.has(code)) break;
        at += 1;
        step += 1;
      } else {
        if (!holds(instruction.kind, codes, at)) break;
        step += 1;
      }
    }
  }
  return undefined;
}

function holds(kind: Assertion, codes: readonly number[], at: number): boolean {
  switch (kind) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === codes.length;
    case 'lineStart':
      return at === 0 || codes[at - 1] === 10;
    case 'lineEnd':
      return at === codes.length || codes[at] === 10;
    case 'word':
    case 'notWord':
      return (isWordCode(codes[at - 1] ?? 0) !== isWordCode(codes[at] ?? 0)) === (kind === 'word');
  }
}
