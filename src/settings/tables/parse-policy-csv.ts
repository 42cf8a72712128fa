import { splitPolicyFields } from '../../access/index.ts';
import { BadValue, quote, type Parse } from '../parsing/bad-value.ts';

/** How many fields a line has, by its first. */
const fieldCounts: Readonly<Record<string, number>> = { p: 6, g: 3 };
const notedMax = 20;

/**
 * Leaves out lines that cannot be read, with a note for each. Where the text denies anything, it is refused as a whole, and what was read
 * before stays in force: the line might be one that denies, or one that gives somebody a role to which something is denied.
 */
export const parsePolicyCsv: Parse<string> = (text, note) => {
  const lines = text.split('\n');
  const bad = lines.flatMap((line, index) => (isReadable(line.trim()) ? [] : [{ line: line.trim(), index }]));
  const [first] = bad;
  if (first === undefined) return text;
  if (/deny/i.test(text)) throw new BadValue(describe(first));
  for (const one of bad.slice(0, notedMax)) note(`${describe(one)}; it is left out`);
  if (bad.length > notedMax) note(`${bad.length - notedMax} more lines cannot be read and are left out`);
  const left = new Set(bad.map(({ index }) => index));
  return lines.filter((_, index) => !left.has(index)).join('\n');
};

function describe({ line, index }: { readonly line: string; readonly index: number }): string {
  return `invalid RBAC policy: ${quote(line)} in line ${index + 1} is neither p with 6 fields nor g with 3`;
}

/** Checks the shape of a line. What the fields mean is for whoever decides by them. */
function isReadable(line: string): boolean {
  if (line === '' || line.startsWith('#')) return true;
  const fields = splitPolicyFields(line);
  const [first = ''] = fields ?? [];
  return fields !== undefined && Object.hasOwn(fieldCounts, first) && fields.length === fieldCounts[first];
}
