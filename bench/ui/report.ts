/** One figure beside its goal. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly goal?: string;
  readonly isReached?: boolean;
}

/** A time with a goal, and how much of it was the server's. */
export function timeFigure(what: string, ms: number, goalMs: number, serverMs?: number): Figure {
  const parts = serverMs === undefined ? '' : `; server ${round(serverMs)}, browser ${round(Math.max(0, ms - serverMs))}`;
  return { what, measured: `${round(ms)} ms${parts}`, goal: `${goalMs} ms`, isReached: ms <= goalMs };
}

export function round(value: number): number {
  return Number(value.toFixed(value < 10 ? 1 : 0));
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const { what, measured, goal, isReached } of figures) {
    const verdict = goal === undefined ? '' : ` | goal ${goal}: ${isReached ? 'reached' : 'NOT reached'}`;
    console.log(`  ${what.padEnd(58)} ${measured}${verdict}`);
  }
}
