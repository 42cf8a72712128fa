import { readFileSync } from 'node:fs';

const OUTCOMES = ['yes', 'listed', 'empty', 'silent', 'unauthenticated', 'denied', 'missing', 'invalid', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What comes back where a thing is there, and where it is not. */
export interface Cell {
  readonly present: Outcome;
  readonly absent: Outcome;
}

export interface MatrixRow {
  readonly method: string;
  /** By caller. */
  readonly cells: ReadonlyMap<string, Cell>;
}

export interface Matrix {
  readonly callers: readonly string[];
  readonly rows: readonly MatrixRow[];
}

const FILE = new URL('../authorisation-matrix.txt', import.meta.url);

export function readMatrix(): Matrix {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const [head = [], ...rows] = lines.filter((line) => line !== '' && !line.startsWith('#')).map(splitLine);
  const callers = head.slice(1);
  return {
    callers,
    rows: rows.map(([method = '', ...cells]) => ({
      method,
      cells: new Map(callers.map((caller, index) => [caller, parseCell(method, cells[index] ?? '')])),
    })),
  };
}

function splitLine(line: string): string[] {
  return line.split('|').map((part) => part.trim());
}

function parseCell(method: string, text: string): Cell {
  const [present = '', absent = present] = text.split('/').map((part) => part.trim());
  if (!isOutcome(present) || !isOutcome(absent)) throw new Error(`${method} has a cell ${JSON.stringify(text)}`);
  return { present, absent };
}

function isOutcome(text: string): text is Outcome {
  return (OUTCOMES as readonly string[]).includes(text);
}
