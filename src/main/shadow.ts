/** `fairway shadow`. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ShadowLedger, ShadowReport } from '../controllers/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import { startControlPlane, type UpInput } from './up.ts';

const lookMs = 250;
/** An operation that hangs may keep an application from being judged for ever: so long after all patience is over. */
const standstillMs = 45_000;
const limitMs = 30 * 60_000;

/** Looks at every application and application set until all are judged, or until nothing moves any more. Throws StartError when it cannot begin. */
export async function runShadow(input: UpInput): Promise<ShadowReport> {
  await using stack = new AsyncDisposableStack();
  const { plane } = await startControlPlane(input, stack);
  const { shadow, applications, applicationSets } = plane;
  if (shadow === undefined) throw new Error('a shadow was started on a home of our own');
  const startMs = performance.now();
  let seen = '';
  let movedMs = startMs;
  for (;;) {
    const { report, isComplete } = look(shadow, applications, applicationSets);
    const nowMs = performance.now();
    const state = JSON.stringify([report.counts, report.sets.counts]);
    if (state !== seen) movedMs = nowMs;
    seen = state;
    if (isComplete || nowMs - movedMs > standstillMs + shadow.patienceMs || nowMs - startMs > limitMs) return report;
    await wait(lookMs);
  }
}

function look(
  shadow: ShadowLedger,
  applications: ObjectStore,
  sets: ObjectStore,
): { readonly report: ShadowReport; readonly isComplete: boolean } {
  const report = shadow.report();
  const areJudged = (store: ObjectStore, { total, counts }: Pick<ShadowReport, 'total' | 'counts'>): boolean =>
    store.synced && total >= store.size && counts.pending === 0;
  return { report, isComplete: areJudged(applications, report) && areJudged(sets, report.sets) };
}
