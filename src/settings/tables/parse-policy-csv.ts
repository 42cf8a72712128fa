import { BadValue, type Parse } from '../parsing/bad-value.ts';

/** How many fields a line has, by its first. */
const fieldCounts: Readonly<Record<string, number>> = { p: 6, g: 3 };

/** Checks the shape of each line. What the fields mean is for whoever decides by them. */
export const parsePolicyCsv: Parse<string> = (text) => {
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const fields = splitFields(trimmed);
    const [first = ''] = fields ?? [];
    if (fields === undefined || !Object.hasOwn(fieldCounts, first) || fields.length !== fieldCounts[first]) {
      throw new BadValue(`invalid RBAC policy: line ${index + 1} is neither p with 6 fields nor g with 3`);
    }
  }
  return text;
};

/** Fields between commas, some in double quotes; undefined when a quote is not closed or stands in the middle. */
function splitFields(line: string): string[] | undefined {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;
  for (;;) {
    const match = field.exec(line);
    if (match === null) return undefined;
    fields.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
    if (match[3] === '') return fields;
  }
}
