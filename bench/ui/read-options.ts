import { parseArgs } from 'node:util';

export const SECTIONS = ['load', 'list', 'tree', 'logs'] as const;
export type Section = (typeof SECTIONS)[number];

export interface UiBenchOptions {
  readonly sections: readonly Section[];
  readonly applications: number;
  readonly nodes: number;
  readonly lines: number;
}

export const USAGE = `usage: npm run bench -- ui [${SECTIONS.join('|')}…] [options]
  --apps N     applications in the list (10000)
  --nodes N    resources in the tree (5000)
  --lines N    lines in the log (100000)`;

/** Reads the words after `ui`; throws what to tell whoever wrote them. */
export function readOptions(args: readonly string[]): UiBenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { apps: { type: 'string' }, nodes: { type: 'string' }, lines: { type: 'string' } },
  });
  for (const name of positionals) if (!SECTIONS.some((section) => section === name)) throw new Error(`there is no part ${name}`);
  return {
    sections: SECTIONS.filter((section) => positionals.length === 0 || positionals.includes(section)),
    applications: readCount('apps', values.apps, 10_000),
    nodes: readCount('nodes', values.nodes, 5_000),
    lines: readCount('lines', values.lines, 100_000),
  };
}

function readCount(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} takes a number, not ${text}`);
  return Number(text);
}
