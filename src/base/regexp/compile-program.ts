import type { Assertion, CharacterSet, RegexpNode } from './node.ts';

/** Steps of a match; `to` is where it goes on, and of a split the first way is tried first. */
export type Instruction =
  | CharacterSet
  | { readonly type: 'assert'; readonly kind: Assertion }
  | { readonly type: 'save'; readonly slot: number }
  | { type: 'jump'; to: number }
  | { type: 'split'; first: number; second: number }
  | { readonly type: 'match' };

/** The most steps that an expression may have once its repeats are written out. */
const INSTRUCTIONS_MAX = 20_000;

/** The program of an expression. Throws a RangeError where it is too large. */
export function compileProgram(node: RegexpNode): Instruction[] {
  const program: Instruction[] = [{ type: 'save', slot: 0 }];
  emitNode(program, node);
  program.push({ type: 'save', slot: 1 }, { type: 'match' });
  return program;
}

function emitNode(program: Instruction[], node: RegexpNode): void {
  if (program.length > INSTRUCTIONS_MAX) throw new RangeError('the regular expression is too large');
  switch (node.type) {
    case 'empty':
      return;
    case 'set':
    case 'assert':
      program.push(node);
      return;
    case 'sequence':
      for (const part of node.nodes) emitNode(program, part);
      return;
    case 'choice':
      emitChoice(program, node.nodes);
      return;
    case 'group':
      program.push({ type: 'save', slot: node.index * 2 });
      emitNode(program, node.node);
      program.push({ type: 'save', slot: node.index * 2 + 1 });
      return;
    case 'repeat':
      emitRepeat(program, node);
  }
}

function emitChoice(program: Instruction[], nodes: readonly RegexpNode[]): void {
  const jumps: { type: 'jump'; to: number }[] = [];
  for (const [at, node] of nodes.entries()) {
    if (at === nodes.length - 1) {
      emitNode(program, node);
      break;
    }
    const split: Instruction = { type: 'split', first: program.length + 1, second: 0 };
    program.push(split);
    emitNode(program, node);
    const jump = { type: 'jump' as const, to: 0 };
    program.push(jump);
    jumps.push(jump);
    split.second = program.length;
  }
  for (const jump of jumps) jump.to = program.length;
}

function emitRepeat(program: Instruction[], { node, min, max, greedy }: Extract<RegexpNode, { type: 'repeat' }>): void {
  for (let count = 0; count < min; count += 1) emitNode(program, node);
  if (max === Infinity && isNullable(node)) {
    // Once or not at all, then again: only so does the way that takes nothing keep its place among the others.
    const leave = emitSplit(program, greedy);
    const start = program.length;
    emitNode(program, node);
    const next = program.length + 1;
    program.push({ type: 'split', first: greedy ? start : next, second: greedy ? next : start });
    leave(program.length);
    return;
  }
  if (max === Infinity) {
    const start = program.length;
    const split = emitSplit(program, greedy);
    emitNode(program, node);
    program.push({ type: 'jump', to: start });
    split(program.length);
    return;
  }
  const ends: ((to: number) => void)[] = [];
  for (let count = min; count < max; count += 1) {
    ends.push(emitSplit(program, greedy));
    emitNode(program, node);
  }
  for (const end of ends) end(program.length);
}

function isNullable(node: RegexpNode): boolean {
  switch (node.type) {
    case 'empty':
    case 'assert':
      return true;
    case 'set':
      return false;
    case 'sequence':
      return node.nodes.every(isNullable);
    case 'choice':
      return node.nodes.some(isNullable);
    case 'group':
      return isNullable(node.node);
    case 'repeat':
      return node.min === 0 || isNullable(node.node);
  }
}

/** A split into "once more" and "go on"; the answer sets where it goes on. */
function emitSplit(program: Instruction[], greedy: boolean): (to: number) => void {
  const split = { type: 'split' as const, first: program.length + 1, second: program.length + 1 };
  program.push(split);
  return (to) => {
    if (greedy) split.second = to;
    else split.first = to;
  };
}
