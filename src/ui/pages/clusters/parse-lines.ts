/** Names of namespaces: on lines, or with commas between. */
export function parseNames(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

export interface ParsedLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** What is wrong with the first line that cannot be read. */
  readonly problem: string | undefined;
}

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Labels as `key=value`, one on each line. */
export function parseLabels(text: string): ParsedLabels {
  const pairs: [string, string][] = [];
  for (const line of text
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const at = line.indexOf('=');
    const [key, value] = at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    const name = key.slice(key.lastIndexOf('/') + 1);
    if (!NAME.test(name) || name.length > 63) return { labels: {}, problem: `"${key}" is no name of a label` };
    if (value !== '' && (!NAME.test(value) || value.length > 63)) return { labels: {}, problem: `"${value}" is no value of a label` };
    pairs.push([key, value]);
  }
  return { labels: Object.fromEntries(pairs), problem: undefined };
}

export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}
