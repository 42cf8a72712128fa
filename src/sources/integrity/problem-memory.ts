import { LruMap } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';

/** What was wrong with signatures, for a while: to find the same again would take as long, and it changes only as time goes by. */
export interface ProblemMemory {
  /** What was found last; undefined where it is to be looked for. `fresh` takes only what was found a moment ago. */
  recall(key: string, options: { readonly fresh: boolean }): readonly string[] | undefined;
  note(key: string, problems: readonly string[]): void;
  forget(key: string): void;
}

const KEYS_MAX = 2_000;
/** At first so long, then twice as long each time, up to the most. */
const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 3_600_000;
/** After a push with a webhook all applications of a repository ask anew within so long. */
const MOMENT_MS = 10_000;

interface Found {
  readonly problems: readonly string[];
  readonly atMs: number;
  readonly count: number;
}

export function createProblemMemory(clock: Clock): ProblemMemory {
  const found = new LruMap<string, Found>(KEYS_MAX);
  return {
    recall(key, { fresh }) {
      const known = found.get(key);
      if (known === undefined) return undefined;
      const holdsMs = fresh ? MOMENT_MS : Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** Math.min(known.count - 1, 30));
      const agoMs = clock.nowMs() - known.atMs;
      // One from the future was found before the clock was set back.
      return agoMs >= 0 && agoMs < holdsMs ? known.problems : undefined;
    },
    note: (key, problems) => found.set(key, { problems, atMs: clock.nowMs(), count: (found.get(key)?.count ?? 0) + 1 }),
    forget: (key) => found.delete(key),
  };
}
