import type { SoakAnswer } from './soak-stage.ts';

/** How long after an outage calls may still meet its consequences. */
const AFTERMATH_MS = 20_000;
const PROBLEMS_MAX = 40;

/** What happened in a soak: how often, and what should not have. */
export class SoakRecord {
  readonly problems: string[] = [];
  /** The applications that the application set is to have. */
  members: ReadonlySet<string> = new Set();
  readonly #counts = new Map<string, number>();
  #disturbedMs = -Infinity;

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  problem(text: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(text);
  }

  /** Something was broken on purpose, or has just been mended. */
  disturbed(): void {
    this.#disturbedMs = Date.now();
  }

  /**
   * A call may be refused; only around an outage may it fail, or read as if the application were not there: where an application cannot be
   * read, that is what everybody is told.
   */
  answered(what: string, answer: SoakAnswer): void {
    if (answer === 'gone') return this.count(`${what}: the process was killed`);
    this.count(`${what}: ${answer.status}`);
    const isFailure = answer.status >= 500 || [401, 403].includes(answer.status);
    if (isFailure && Date.now() - this.#disturbedMs > AFTERMATH_MS)
      this.problem(`${what} was answered with ${answer.status}: ${answer.text.slice(0, 300)}`);
  }
}
