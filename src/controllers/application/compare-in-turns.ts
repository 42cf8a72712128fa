import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../../base/index.ts';
import { compareInParts, type ApplicationComparison } from '../../engine/index.ts';

/** How long objects are compared before others have their turn. */
const TURN_MS = 25;

/** Compares an application as `compareApplication` does. What users want to be ignored may take a while for each of many thousand objects. */
export async function compareInTurns(
  input: Parameters<typeof compareInParts>[0],
  { timers, signal }: { readonly timers: Pick<Timers, 'nowMs'>; readonly signal: AbortSignal },
): Promise<ApplicationComparison> {
  const parts = compareInParts(input);
  let sinceMs = timers.nowMs();
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    if (timers.nowMs() - sinceMs < TURN_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    sinceMs = timers.nowMs();
  }
}
