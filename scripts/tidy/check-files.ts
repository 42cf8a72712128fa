/** Files as wholes: their names, their length, and the header of those that are generated. */
import { perFile, type Rule } from './rule.ts';

const LINES_MAX = 450;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/;
const EMPTY_NAMES: readonly string[] = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'misc'];
const GENERATED_HEADER = /^\/\/ Generated .*Do not edit\./;

export const names: Rule = perFile('names', ({ path, code }) => {
  if (!code) return [];
  const parts = path.split('/');
  return [
    ...parts.flatMap((part) => (KEBAB_CASE.test(part) || part === '.ci' ? [] : [{ message: `${part} is not kebab-case` }])),
    ...parts.flatMap((part) => {
      const empty = part.split(/[-.]/).find((word) => EMPTY_NAMES.includes(word));
      return empty === undefined ? [] : [{ message: `a name with ${empty} in it says nothing: name it after what it does` }];
    }),
  ];
});

export const lengths: Rule = perFile('lengths', ({ text, code, isGenerated }) => {
  if (!code || isGenerated) return [];
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines > LINES_MAX ? [{ message: `${lines} lines, at most ${LINES_MAX}: it has two jobs` }] : [];
});

export const generatedHeaders: Rule = perFile('generated headers', ({ path, text, code, isGenerated }) => {
  if (!code || path.startsWith('scripts/')) return [];
  const hasHeader = GENERATED_HEADER.test(text);
  if (isGenerated && !hasHeader) return [{ line: 1, message: 'a file in gen/ starts with `// Generated … Do not edit.`' }];
  if (!isGenerated && hasHeader) return [{ line: 1, message: 'a generated file belongs in gen/' }];
  return [];
});

/** A link leads out of the checkout or nowhere once it is on another machine. */
export const links: Rule = {
  name: 'links',
  find: (tree) => tree.links.map((path) => ({ path, message: 'a symbolic link does not belong in the repository' })),
};
