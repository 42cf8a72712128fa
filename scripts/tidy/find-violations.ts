/** Holds a tree against all rules. */
import { inputs, notes, purity, tests, types } from './check-code.ts';
import { dependencies } from './check-dependencies.ts';
import { generatedHeaders, lengths, links, names } from './check-files.ts';
import { arrows, doors } from './check-rooms.ts';
import type { Rule, Tree } from './rule.ts';

export const rules: readonly Rule[] = [
  arrows,
  doors,
  names,
  lengths,
  generatedHeaders,
  links,
  types,
  tests,
  notes,
  inputs,
  purity,
  dependencies,
];

/** What is wrong, a line each; fails when there was nothing to look at, which would otherwise pass as tidy. */
export function findViolations(tree: Tree): string[] {
  const looked = tree.files.filter(({ code, path }) => code && path.startsWith('src/'));
  if (looked.length === 0) throw new Error('the tidy test found no code below src/: it looks in the wrong place');
  return rules.flatMap(({ name, find }) =>
    find(tree).map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`} (${name}) ${message}`),
  );
}
