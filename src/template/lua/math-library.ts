import { frexp } from '../frexp.ts';
import type { Arguments, Native } from './arguments.ts';
import type { LuaTable } from './table.ts';

/** What the original has for the largest number. */
const HUGE = Number.MAX_VALUE;

const one =
  (work: (value: number) => number): Native =>
  (args) => [work(args.number(1))];

export const mathFunctions: Readonly<Record<string, Native>> = {
  abs: one(Math.abs),
  acos: one(Math.acos),
  asin: one(Math.asin),
  atan: one(Math.atan),
  atan2: (args) => [Math.atan2(args.number(1), args.number(2))],
  ceil: one(Math.ceil),
  cos: one(Math.cos),
  cosh: one(Math.cosh),
  deg: one((value) => (value * 180) / Math.PI),
  exp: one(Math.exp),
  floor: one(Math.floor),
  fmod: (args) => [args.number(1) % args.number(2)],
  frexp: (args) => frexp(args.number(1)),
  ldexp: (args) => [args.number(1) * 2 ** args.integer(2)],
  log: one(Math.log),
  log10: one(Math.log10),
  max: (args) => [numbers(args).reduce((most, value) => (value > most ? value : most))],
  min: (args) => [numbers(args).reduce((least, value) => (value < least ? value : least))],
  mod: (args) => [args.number(1) % args.number(2)],
  modf: (args) => [Math.trunc(args.number(1)), args.number(1) - Math.trunc(args.number(1))],
  pow: (args) => [args.number(1) ** args.number(2)],
  rad: one((value) => (value / 180) * Math.PI),
  sin: one(Math.sin),
  sinh: one(Math.sinh),
  sqrt: one(Math.sqrt),
  tan: one(Math.tan),
  tanh: one(Math.tanh),
};

/** `random` gives the same numbers in every run: what a rule says of an object must not depend on luck. */
export function randomFunctions(): Readonly<Record<string, Native>> {
  let seed = 1;
  const next = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  return {
    random(args) {
      if (args.count === 0) return [next()];
      const [from, to] = args.count === 1 ? [1, args.integer(1)] : [args.integer(1), args.integer(2)];
      if (to < from) throw args.refuse(args.count, 'interval is empty');
      return [from + Math.floor(next() * (to - from + 1))];
    },
    randomseed(args) {
      seed = args.integer(1) >>> 0;
      return [];
    },
  };
}

export function setConstants(table: LuaTable): void {
  table.set('pi', Math.PI);
  table.set('huge', HUGE);
}

function numbers(args: Arguments): number[] {
  if (args.count === 0) throw args.state.fault('wrong number of arguments');
  return args.values.map((_, index) => args.number(index + 1));
}
